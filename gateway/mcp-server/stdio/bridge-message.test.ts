import { expect, test } from 'vitest'
import { modernHeaders, readBridgeMessage } from './bridge-message.ts'

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
const headersOf = (message: object): unknown => modernHeaders(readBridgeMessage(JSON.stringify(message)))

test.each([
  ['{', 'the line is not JSON'],
  ['7', 'the line is no message of JSON-RPC'],
  ['[]', 'the list is empty'],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 'an id is a text or a number'],
])('%s is bad: %s', (line, reason) => {
  expect(readBridgeMessage(line)).toEqual({ kind: 'bad', reason })
})

test('requests, notifications, answers and batches are told apart', () => {
  expect(readBridgeMessage('{"id":"a","method":"ping"}')).toMatchObject({ kind: 'request', id: 'a', params: {} })
  expect(readBridgeMessage('{"method":"notifications/initialized"}')).toMatchObject({ kind: 'notification' })
  expect(readBridgeMessage('{"id":1,"result":{}}')).toEqual({ kind: 'other' })
  expect(readBridgeMessage('[{"id":1,"method":"ping"}]')).toEqual({ kind: 'other' })
})

test('a request of the stateless revision says in headers what its body says', () => {
  expect(headersOf({ id: 1, method: 'tools/call', params: { name: 'a__b', _meta: META } })).toEqual({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'a__b',
  })
  expect(headersOf({ id: 1, method: 'resources/read', params: { uri: 'x://y', _meta: META } })).toMatchObject({
    'mcp-name': 'x://y',
  })
  expect(headersOf({ id: 1, method: 'tools/list', params: { _meta: META } })).not.toHaveProperty('mcp-name')
  expect(headersOf({ id: 1, method: 'tools/list', params: {} })).toBeUndefined()
})

test('a name that no header can carry goes in Base64', () => {
  const named = headersOf({ id: 1, method: 'tools/call', params: { name: 'größe', _meta: META } })
  expect(named).toMatchObject({ 'mcp-name': '=?base64?Z3LDtsOfZQ==?=' })
  const injected = headersOf({ id: 1, method: 'tools/call', params: { name: 'a\r\nx: y', _meta: META } })
  expect(injected).toMatchObject({ 'mcp-name': '=?base64?YQ0KeDogeQ==?=' })
})
