import { expect, test } from 'vitest'
import { wireTools } from './wire-tools.ts'

const tool = { name: 'go', description: 'Goes.', parameters: { type: 'object' } }

test('"strict" goes out as it was said, and not at all where nothing was said', () => {
  expect(wireTools([{ ...tool, strict: true }, { ...tool, strict: false }, tool])).toEqual([
    { type: 'function', function: { ...tool, strict: true } },
    { type: 'function', function: { ...tool, strict: false } },
    { type: 'function', function: tool },
  ])
  expect(wireTools([tool])[0]?.function).not.toHaveProperty('strict')
})
