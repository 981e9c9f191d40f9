import { expect, test } from 'vitest'
import type { JsonValue } from '../../../catalog/json.ts'
import type { Inbound } from './is-legacy.ts'
import { readQuickCall } from './read-quick-call.ts'

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const PARAMS = { name: 'echo', arguments: { message: 'x' }, _meta: ENVELOPE }
const BODY = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: PARAMS }
const HEADERS = {
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
}

function inbound(body: JsonValue, headers: Inbound['headers'] = {}): Inbound {
  return { method: 'POST', headers: { ...HEADERS, ...headers }, body }
}

test('a plain call is read', () => {
  const params = { name: 'echo', arguments: { message: 'x' } }
  expect(readQuickCall(inbound(BODY))).toEqual({ id: 1, params, envelope: ENVELOPE })
  const bare = { ...BODY, id: 'a', params: { name: 'echo', _meta: ENVELOPE } }
  expect(readQuickCall(inbound(bare))).toEqual({ id: 'a', params: { name: 'echo' }, envelope: ENVELOPE })
})

test('what a client adds of its own is none of what it says of itself', () => {
  const meta = { ...ENVELOPE, progressToken: 'p', traceparent: '00-1', 'claudecode/toolUseId': { a: 1 } }
  const read = readQuickCall(inbound({ ...BODY, params: { ...PARAMS, _meta: meta } }))
  expect(read).toMatchObject({ envelope: ENVELOPE, progressToken: 'p' })
  expect(read?.envelope).toEqual(ENVELOPE)
})

test.each<[string, JsonValue]>([
  ['a batch', [BODY]],
  ['a notification', { jsonrpc: '2.0', method: 'tools/call', params: PARAMS }],
  ['another version of JSON-RPC', { ...BODY, jsonrpc: '1.0' }],
  ['an id that is null', { ...BODY, id: null }],
  ['an id that is no whole number', { ...BODY, id: 1.5 }],
  ['another method', { ...BODY, method: 'tools/list' }],
  ['a member that is not of a request', { ...BODY, extra: 1 }],
  ['no params', { ...BODY, params: null }],
  ['a name that is none', { ...BODY, params: { ...PARAMS, name: 1 } }],
  ['arguments that are a list', { ...BODY, params: { ...PARAMS, arguments: [] } }],
  ['an answer to a question', { ...BODY, params: { ...PARAMS, inputResponses: {} } }],
  ['a call that is gone on with', { ...BODY, params: { ...PARAMS, requestState: 'wait_1' } }],
  ['a task', { ...BODY, params: { ...PARAMS, task: {} } }],
  ['no envelope', { ...BODY, params: { name: 'echo' } }],
  ['a token of progress that is none', { ...BODY, params: { ...PARAMS, _meta: { ...ENVELOPE, progressToken: {} } } }],
  ['half a token', { ...BODY, params: { ...PARAMS, _meta: { ...ENVELOPE, progressToken: 1.5 } } }],
])('%s is left to the SDK', (_what, body) => {
  expect(readQuickCall(inbound(body))).toBeUndefined()
})

test.each([
  [{ 'content-type': 'text/plain' }],
  [{ 'content-type': 'application/json; charset=utf-8' }],
  [{ 'mcp-protocol-version': '2025-11-25' }],
  [{ 'mcp-protocol-version': undefined }],
  [{ 'mcp-method': 'tools/list' }],
  [{ 'mcp-name': 'other' }],
  [{ 'mcp-name': 'echo, echo' }],
])('headers that do not say the same, or say it in another way, are left to the SDK: %j', (headers) => {
  expect(readQuickCall(inbound(BODY, headers))).toBeUndefined()
})

test.each([{}, { 'io.modelcontextprotocol/clientCapabilities': {} }])(
  'a call that says no revision in headers or body is of an older session, and left to it: %j',
  (envelope) => {
    const body = { ...BODY, params: { ...PARAMS, _meta: envelope } }
    expect(readQuickCall(inbound(body, { 'mcp-protocol-version': undefined }))).toBeUndefined()
  },
)

test('a name that its header encodes is left to the SDK', () => {
  const name = '=?base64?ZWNobw==?='
  expect(readQuickCall(inbound({ ...BODY, params: { ...PARAMS, name } }, { 'mcp-name': name }))).toBeUndefined()
})
