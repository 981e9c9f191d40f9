import type { ServerContext } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { abilitiesOf } from './client-abilities.ts'

const contextWith = (envelope?: object): ServerContext => Object.assign(Object.create(null), { mcpReq: { envelope } })
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

test.each([
  [{ elicitation: {} }, { form: true, url: false, sample: false }],
  [{ elicitation: { form: {} } }, { form: true, url: false, sample: false }],
  [
    { elicitation: { form: {}, url: {} }, sampling: {} },
    { form: true, url: true, sample: true },
  ],
  [{ elicitation: { url: {} } }, { form: false, url: true, sample: false }],
  [{ sampling: { tools: {} } }, { form: false, url: false, sample: true }],
  [{}, { form: false, url: false, sample: false }],
])('a client with %j can be asked %j', (capabilities, abilities) => {
  expect(abilitiesOf(contextWith({ [CAPABILITIES]: capabilities }), undefined)).toEqual(abilities)
  expect(abilitiesOf(contextWith(), capabilities)).toEqual(abilities)
})

test('a stateless request speaks for itself alone', () => {
  expect(abilitiesOf(contextWith({ [CAPABILITIES]: {} }), { elicitation: {} }).form).toBe(false)
})
