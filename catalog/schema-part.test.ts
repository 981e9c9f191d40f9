import { describe, expect, test } from 'vitest'
import { readSchemaPart } from './schema-part.ts'
import { aTool } from './testing/a-tool.ts'

const wide = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => [`p/${n}`, { type: 'string', description: 'x'.repeat(50) }]),
)
const tool = aTool({ name: 'wide', inputSchema: { type: 'object', properties: wide } })

describe('a part of a schema', () => {
  test('that fits is the schema as stored', () => {
    const part = readSchemaPart(tool, { of: 'input', path: '/properties/p~17' }, 1_000)
    expect(part).toMatchObject({ kind: 'part', part: { schema: wide['p/7'] } })
  })

  test('that does not fit names the pointers to go on by, each of which can be read', () => {
    const part = readSchemaPart(tool, { of: 'input', path: '/properties' }, 1_000)
    const { parts = [], omitted } = part.kind === 'part' ? part.part : {}
    expect(parts).toHaveLength(200)
    expect(omitted).toBe(100)
    for (const path of parts) expect(readSchemaPart(tool, { of: 'input', path }, 1_000).kind).toBe('part')
  })

  test.each(['/nothing', 'properties', '/properties/__proto__', '/properties/constructor'])(
    '%j is not there',
    (path) => {
      expect(readSchemaPart(tool, { of: 'input', path }, 1_000).kind).toBe('problem')
    },
  )

  test('of a schema that the tool does not have says so', () => {
    expect(readSchemaPart(tool, { of: 'output', path: '' }, 1_000)).toEqual({
      kind: 'problem',
      message: '"plugin:demo:wide" has no output schema',
    })
  })
})
