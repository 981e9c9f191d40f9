import { expect, test } from 'vitest'
import { clientTools } from '../../catalog/sources/client.ts'
import { aView } from '../../catalog/testing/a-view.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { clientDefinitions } from './client-call.ts'

function shown(inputSchema: JsonObject, more: { readonly strict?: boolean } = {}) {
  const own = clientTools([{ name: 'go', description: 'Goes.', inputSchema, ...more }])
  return clientDefinitions(aView([], { clientTools: own }))
}

test("a client's own tool is shown as the client wrote it, where every provider takes that", () => {
  const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
  expect(shown(schema)).toEqual([{ name: 'go', description: 'Goes.', parameters: schema }])
})

test.each([true, false])(
  'whether a provider is to hold the model to the schema is as the client says: %j',
  (strict) => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    expect(shown(schema, { strict })).toEqual([{ name: 'go', description: 'Goes.', parameters: schema, strict }])
  },
)

test('one whose schema a provider would refuse is shown in a form that none does', () => {
  expect(shown({})).toEqual([{ name: 'go', description: 'Goes.', parameters: { type: 'object', properties: {} } }])
  const [alternatives] = shown({ anyOf: [{ properties: { to: {} } }, { properties: { from: {} } }] })
  expect(alternatives).toMatchObject({
    description: expect.stringMatching(/^Goes\. Call: /),
    parameters: { type: 'object', properties: { to: {}, from: {} } },
  })
})
