import { classifyInboundRequest } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isLegacy } from './is-legacy.ts'

const meta = (version: JsonValue, more: JsonObject = {}): JsonObject => ({
  _meta: { 'io.modelcontextprotocol/protocolVersion': version, ...more },
})
const rpc = (message: JsonObject): JsonObject => ({ jsonrpc: '2.0', ...message })

const BODIES: readonly (readonly [string, JsonValue | undefined])[] = [
  ['a stateless request', rpc({ id: 1, method: 'tools/list', params: meta('2026-07-28') })],
  ['a request of a revision to come', rpc({ id: 1, method: 'tools/list', params: meta('2031-01-01') })],
  ['a request that says an old revision', rpc({ id: 1, method: 'tools/list', params: meta('2025-11-25') })],
  ['a revision that is no text', rpc({ id: 1, method: 'tools/list', params: meta(7) })],
  ['a request without a revision', rpc({ id: 1, method: 'tools/list', params: {} })],
  ['a handshake that says a revision', rpc({ id: 1, method: 'initialize', params: meta('2026-07-28') })],
  ['a notification', rpc({ method: 'notifications/initialized' })],
  ['a stateless notification', rpc({ method: 'notifications/cancelled', params: meta('2026-07-28') })],
  ['an answer', rpc({ id: 1, result: {} })],
  ['a batch', [rpc({ id: 1, method: 'ping' })]],
  ['an empty batch', []],
  ['nothing', undefined],
  ['a text', 'tools/list'],
]

test.each(BODIES)('%s is classified as the SDK does', (_what, body) => {
  for (const version of [undefined, '2026-07-28', '2025-06-18', '1999-01-01']) {
    const headers = version === undefined ? {} : { 'mcp-protocol-version': version }
    const outcome = classifyInboundRequest({
      httpMethod: 'POST',
      ...(version !== undefined && { protocolVersionHeader: version }),
      ...(body !== undefined && { body }),
    })
    expect([version, isLegacy({ method: 'POST', headers, body })]).toEqual([version, outcome.kind === 'legacy'])
  }
})

test.each([undefined, '2025-06-18', '2026-07-28', '2031-01-01'])(
  'a handshake agrees upon the revision, and is of the older ones whatever its headers say of that (%s)',
  (version) => {
    const headers = version === undefined ? {} : { 'mcp-protocol-version': version }
    const body = rpc({ id: 1, method: 'initialize', params: { protocolVersion: '2031-01-01' } })
    expect(isLegacy({ method: 'POST', headers, body })).toBe(true)
  },
)

test.each(['GET', 'DELETE'])('%s is of the older revisions alone', (method) => {
  expect(isLegacy({ method, headers: {}, body: undefined })).toBe(true)
})
