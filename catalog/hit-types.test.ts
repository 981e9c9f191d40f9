import { expect, test } from 'vitest'
import { createHitTypes } from './hit-types.ts'
import { aTool } from './testing/a-tool.ts'

test('a tool keeps its types for as long as it is itself; one that was replaced has its own', () => {
  const types = createHitTypes()
  const tool = aTool({ outputSchema: { type: 'object', properties: { n: { type: 'number' } } } })
  expect(types(tool)).toEqual({
    signature: '(args?: { text?: string }) => Promise<{ n?: number }>',
    output: '{ n?: number }',
  })
  expect(types(tool)).toBe(types(tool))
  expect(types(aTool({ inputSchema: { type: 'object', required: ['a'], properties: { a: {} } } }))).toEqual({
    signature: '(args: { a: unknown }) => Promise<unknown>',
  })
})

test('what was found longest ago is forgotten', () => {
  const types = createHitTypes()
  const tool = aTool()
  const first = types(tool)
  for (let place = 0; place < 2_000; place += 1) types(aTool({ name: `t${place}` }))
  expect(types(tool)).not.toBe(first)
  expect(types(tool)).toEqual(first)
})
