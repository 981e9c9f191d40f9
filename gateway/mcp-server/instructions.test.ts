import { expect, test } from 'vitest'
import { instructionsFor } from './instructions.ts'
import { INSTRUCTIONS_MAX_BYTES } from './limits.ts'

test.each(['code', 'tools', 'direct'] as const)('the instructions of mode "%s" fit in 1 KB', (mode) => {
  const bytes = Buffer.byteLength(instructionsFor(mode))
  expect(bytes).toBeGreaterThan(200)
  expect(bytes).toBeLessThanOrEqual(INSTRUCTIONS_MAX_BYTES)
})

test('each mode names the functions that it shows', () => {
  expect(instructionsFor('code')).toContain('tool_search_code')
  for (const name of ['tool_search', 'tool_describe', 'tool_call']) expect(instructionsFor('tools')).toContain(name)
  expect(instructionsFor('direct')).not.toContain('tool_search')
})
