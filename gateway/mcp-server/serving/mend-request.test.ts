import { assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { mendRequest } from './mend-request.ts'

const ask = (method: string, params?: object | null) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params !== undefined && { params: JSON.parse(JSON.stringify(params)) }),
})

test.each([
  ['parameters that are null', ask('tools/list', null), ask('tools/list')],
  ['what a request has not, each null', { ...ask('ping', null), result: null, error: null }, ask('ping')],
  [
    'a notification whose id is null',
    { ...ask('notifications/initialized'), id: null },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ],
  [
    'a token of progress that is null',
    ask('tools/call', { name: 'a', _meta: { progressToken: null, own: null } }),
    ask('tools/call', { name: 'a', _meta: { own: null } }),
  ],
  ['a cursor that is null', ask('tools/list', { cursor: null }), ask('tools/list', {})],
  ['a cursor that is empty', ask('tools/list', { cursor: '' }), ask('tools/list', {})],
  ['`_meta` that is null', ask('ping', { _meta: null }), ask('ping', {})],
  ['arguments that are null', ask('tools/call', { name: 'a', arguments: null }), ask('tools/call', { name: 'a' })],
  ['parameters of PHP that has none', ask('tools/list', []), ask('tools/list', {})],
  [
    'arguments and `_meta` of PHP that has none',
    ask('tools/call', { name: 'a', arguments: [], _meta: [] }),
    ask('tools/call', { name: 'a', arguments: {}, _meta: {} }),
  ],
  [
    'what a stateless client of PHP can do: nothing',
    ask('ping', { _meta: { 'io.modelcontextprotocol/clientCapabilities': [] } }),
    ask('ping', { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } }),
  ],
  [
    'arguments as no text, of a model that has none to write',
    ask('tools/call', { name: 'a', arguments: ' ' }),
    ask('tools/call', { name: 'a', arguments: {} }),
  ],
  [
    'arguments as a text',
    ask('tools/call', { name: 'a', arguments: '{"x":null}' }),
    ask('tools/call', { name: 'a', arguments: { x: null } }),
  ],
  [
    'an `initialize` that says little',
    ask('initialize', {
      protocolVersion: 'v',
      capabilities: { roots: null, sampling: true, experimental: { a: true, b: null, c: {} } },
      clientInfo: { name: 'c' },
    }),
    ask('initialize', {
      protocolVersion: 'v',
      capabilities: { sampling: {}, experimental: { a: {}, c: {} } },
      clientInfo: { name: 'c', version: 'unknown' },
    }),
  ],
])('%s is mended, alone and in a list', (_what, written, meant) => {
  expect(mendRequest(written)).toEqual(meant)
  expect(mendRequest([written, 7])).toEqual([meant, 7])
})

test('null is a value of an argument, and all else stays as it is written', () => {
  const call = ask('tools/call', { name: 'a', arguments: { x: null, cursor: null }, _meta: { progressToken: 0 } })
  expect(mendRequest(call)).toBe(call)
  expect(mendRequest(ask('tools/call', { name: 'a', arguments: 'no JSON' }))).toEqual(
    ask('tools/call', { name: 'a', arguments: 'no JSON' }),
  )
  for (const params of [{ name: 'a', arguments: [1], _meta: [1] }, [1]]) {
    expect(mendRequest(ask('tools/call', params))).toEqual(ask('tools/call', params))
  }
  const nameless = { ...ask('ping'), id: null }
  expect(mendRequest(nameless)).toBe(nameless)
  expect(mendRequest(undefined)).toBeUndefined()
  assert(
    property(jsonValue(), (value) => {
      const written: unknown = JSON.parse(JSON.stringify(value))
      expect(mendRequest(JSON.parse(JSON.stringify(value)))).toEqual(written)
    }),
  )
})
