import { parseJSONRPCMessage } from '@modelcontextprotocol/client'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mendHandshake } from './mend-handshake.ts'
import { mendMessage } from './mend-message.ts'

const answer = (members: object) => ({ jsonrpc: '2.0', id: 1, ...members })

test.each([
  ['no error beside a result', answer({ result: { a: 1 }, error: null }), answer({ result: { a: 1 } })],
  [
    'no result beside an error',
    answer({ result: null, error: { code: 1, message: 'no' } }),
    { code: 1, message: 'no' },
  ],
  ['an empty result that is null', answer({ result: null }), answer({ result: {} })],
  ['`_meta` and a cursor that are null', answer({ result: { _meta: null, nextCursor: null } }), answer({ result: {} })],
  [
    'a structured null',
    answer({ result: { structuredContent: null } }),
    answer({ result: { structuredContent: null } }),
  ],
  ['an empty result of PHP', answer({ result: [] }), answer({ result: {} })],
  ['an empty `_meta` of PHP', answer({ result: { _meta: [], tools: [] } }), answer({ result: { tools: [] } })],
  ['empty parameters of PHP', answer({ method: 'ping', params: [] }), answer({ method: 'ping' })],
  ['no version', { id: 1, result: {} }, answer({ result: {} })],
  ['more members than there are', { ...answer({ result: {} }), session: 'x' }, answer({ result: {} })],
  ['an error that is a text', answer({ error: 'no' }), { code: -32_603, message: 'no' }],
  ['a code that is a text', answer({ error: { code: '-32000', message: 'no' } }), { code: -32_000, message: 'no' }],
  ['no reason', answer({ error: { code: -1 } }), { code: -1, message: 'no reason was given' }],
  ['a reason elsewhere', answer({ error: { code: -1, data: 'full' } }), { code: -1, message: 'full', data: 'full' }],
  [
    'a reason that is no text',
    answer({ error: { code: -1, message: { detail: 'full' } } }),
    { code: -1, message: 'full' },
  ],
  ['a list of reasons', answer({ error: ['full', 1, 'late'] }), { code: -32_603, message: 'full; late' }],
  ['parameters that are null', answer({ method: 'ping', params: null }), answer({ method: 'ping' })],
])('%s is what a reader of the protocol takes', (_what, message, expected) => {
  const mended = parseJSONRPCMessage(mendMessage(message))
  expect(mended).toEqual('code' in expected ? answer({ error: expected }) : expected)
})

test.each([
  answer({ result: {}, error: { code: 1, message: 'no' } }),
  answer({ result: 'a text' }),
  { jsonrpc: '1.0', id: 1, result: {} },
  { id: 1 },
  [answer({ result: {} })],
])('%j stays for the reader to refuse', (message) => {
  const mended = mendMessage(message)
  expect(() => parseJSONRPCMessage(mended)).toThrow('invalid_union')
  expect(mended).toEqual(message)
})

test('what is right is not changed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (x) => {
      const message = answer({ result: { x } })
      expect(mendMessage(message)).toEqual(message)
    }),
  )
})

test.each([
  [{ protocolVersion: 'v' }, {}, { name: 'unknown', version: 'unknown' }],
  [{ capabilities: null, serverInfo: null }, {}, { name: 'unknown', version: 'unknown' }],
  [
    {
      capabilities: { tools: true, resources: false, logging: null, prompts: { listChanged: null } },
      serverInfo: { name: 'a', version: 1, title: null },
      instructions: null,
    },
    { tools: {}, prompts: {} },
    { name: 'a', version: '1' },
  ],
  [
    { capabilities: { tools: [{ name: 'x' }], resources: [], prompts: null } },
    { tools: {}, resources: {} },
    { name: 'unknown', version: 'unknown' },
  ],
  [{ instructions: { text: 'x' } }, {}, { name: 'unknown', version: 'unknown' }],
])('the handshake %j is one', (result, capabilities, serverInfo) => {
  const { protocolVersion } = { protocolVersion: undefined, ...result }
  const kept = protocolVersion === undefined ? {} : { protocolVersion }
  expect(mendHandshake(result)).toEqual({ ...kept, capabilities, serverInfo })
})

test('instructions in several texts are one', () => {
  expect(mendHandshake({ instructions: ['first', 'then'] })).toMatchObject({ instructions: 'first\nthen' })
})
