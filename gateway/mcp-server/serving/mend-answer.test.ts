import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import { mendRequest } from './mend-request.ts'

const answer = (members: JsonObject): JsonObject => ({ jsonrpc: '2.0', id: 3, ...members })
const RESULT = { action: 'accept', content: { name: null } }
const ERROR = { code: -32_601, message: 'Method not found' }

test.each<[string, JsonObject, JsonObject]>([
  ['an error that is null beside a result', { result: RESULT, error: null }, { result: RESULT }],
  ['a result that is null beside an error', { result: null, error: ERROR }, { error: ERROR }],
  ['what an answer has not, each null', { method: null, params: null, result: RESULT }, { result: RESULT }],
  ['a result without members', { result: null }, { result: {} }],
  ['a result whose `_meta` is null', { result: { ...RESULT, _meta: null } }, { result: RESULT }],
  ['an error without a code', { error: { message: 'no' } }, { error: { code: -32_603, message: 'no' } }],
  [
    'an error whose code is a text',
    { error: { code: 'E_NO', data: 1 } },
    { error: { code: -32_603, message: 'the client did not say why', data: 1 } },
  ],
  ['an error that is a text', { error: 'no' }, { error: { code: -32_603, message: 'no' } }],
])('%s is mended, alone and in a list', (_what, written, meant) => {
  expect(mendRequest(answer(written))).toEqual(answer(meant))
  expect(mendRequest([answer(written), 7])).toEqual([answer(meant), 7])
})

test.each<JsonObject>([{ result: RESULT }, { error: ERROR }, { result: RESULT, error: ERROR }, { result: 5 }, {}])(
  'what can be meant in another way too stays as it is: %j',
  (members) => {
    expect(mendRequest(answer(members))).toEqual(answer(members))
  },
)
