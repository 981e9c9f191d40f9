import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { configFileSchema, readConfig } from '../read-config.ts'
import { maskSecrets } from './mask-secrets.ts'

const HIDDEN = 'correct-horse-battery'

describe('a literal secret is masked', () => {
  test.each([
    ['as a key', inProvider({ apiKey: HIDDEN })],
    ['with a scheme', inProvider({ headers: { Authorization: `Bearer ${HIDDEN}` } })],
    ['beside a reference', inProvider({ apiKey: `\${KEY}${HIDDEN}` })],
    ['of the wrong kind', inProvider({ apiKey: [HIDDEN] })],
    ['in an object that is no reference', inProvider({ apiKey: { value: HIDDEN } })],
    ['beside a file', inProvider({ apiKey: { file: 'x', text: HIDDEN } })],
    ['in an address', inProvider({ baseUrl: `https://me:${HIDDEN}@x/v1` })],
    ['in a query', inProvider({ baseUrl: `https://x/v1?access_token=${HIDDEN}` })],
    ['in a variable', { mcp: { servers: { s: { command: 'x', env: { ANY: HIDDEN } } } } }],
    ['in an argument', { mcp: { servers: { s: { command: 'x', args: ['--api-key', HIDDEN, `--token=${HIDDEN}`] } } } }],
    ['in a plugin', { plugins: { entries: { p: { config: { deep: [{ clientSecret: { a: [HIDDEN] } }] } } } } }],
    ['by its form', { agents: { default: { instructions: `sk-${HIDDEN}` } } }],
  ])('%s', (_where, value) => {
    expect(JSON.stringify(maskSecrets(configFileSchema, value))).not.toContain(HIDDEN)
  })
})

test.each([
  [inProvider({ apiKey: '${KEY}' })],
  [inProvider({ headers: { Authorization: 'Bearer ${KEY}' } })],
  [inProvider({ apiKey: { file: '/run/secrets/key' } })],
  [inProvider({ apiKey: { command: ['pass', 'show', 'key'] } })],
  [inProvider({ baseUrl: 'http://localhost:11434/v1?version=2' })],
  [{ mcp: { servers: { s: { command: 'npx', args: ['-y', '@scope/server', '--token=${KEY}', '--port', '1'] } } } }],
  [{ plugins: { entries: { p: { config: { depth: 'basic', max: 5, list: ['a'] } } } } }],
  [{ tools: { deny: ['mcp:*:get_token'], toolSearch: { mode: 'code' } } }],
])('%j is no secret and is shown as it is', (value) => {
  expect(maskSecrets(configFileSchema, value)).toEqual(value)
})

test('wherever a secret of a telling form stands, neither the masked file nor any problem shows it', async () => {
  const secret = `sk-${HIDDEN}`
  const keys = [
    'gateway',
    'port',
    'models',
    'providers',
    'p',
    'apiKey',
    'apikey',
    'headers',
    'mcp',
    'servers',
    'tools',
    'deny',
    'x',
  ]
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<JsonValue>(secret, secret, 'x', 5, true, null),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 4 }),
    ),
  }))
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 }), async (file) => {
      const text = JSON.stringify(file)
      const read = await readConfig(text, { env: {}, directory: '/' })
      const problems = read.kind === 'invalid' ? read.problems : []
      expect(JSON.stringify(problems.map(({ message }) => message))).not.toContain(secret)
      expect(JSON.stringify(maskSecrets(configFileSchema, JSON.parse(text)))).not.toContain(secret)
    }),
    { numRuns: 300 },
  )
})

function inProvider(settings: JsonObject): JsonObject {
  return { models: { providers: { p: { api: 'openai-chat', baseUrl: 'https://x', ...settings } } } }
}
