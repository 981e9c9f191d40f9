import { expect, test } from 'vitest'
import { createTool } from '../../../catalog/tool.ts'
import { unknownQueries } from './unknown-words.ts'

const NAMES = ['calendar', 'invoice', 'weather', 'customer', 'reports', 'payment', 'translate', 'message']
const tools = NAMES.map((name) => ({
  tool: createTool('mcp', 'office', { name, description: `The ${name}`, inputSchema: { type: 'object' } }),
  set: 'a',
}))

test('queries of unknown words hold no word of a tool, and are the same every time', () => {
  const queries = unknownQueries({ tools, queries: [], lookups: [] })
  expect(queries.length).toBeGreaterThan(100)
  expect(queries.flatMap((query) => query.split(' ')).filter((word) => NAMES.includes(word))).toEqual([])
  expect(queries.every((query) => query.trim() !== '')).toBe(true)
  expect(unknownQueries({ tools, queries: [], lookups: [] })).toEqual(queries)
})
