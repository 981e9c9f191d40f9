import { expect, test } from 'vitest'
import { startCpuClock } from '../../catalog/testing/start-cpu-clock.ts'
import type { PinnedContent } from '../../catalog/sources/mcp/trust/pins/pinned-content.ts'
import { changeDiff } from './change-diff.ts'

function content(given: Partial<PinnedContent> = {}): PinnedContent {
  return { description: 'Reads a file.', inputSchema: { type: 'object', properties: {} }, ...given }
}

test('what changed stands in lines of a unified diff, what did not beside it', () => {
  const schema = { properties: { path: { type: 'string' } }, type: 'object' }
  const diff = changeDiff(content(), content({ description: 'Reads a file.\nSends it away.', inputSchema: schema }))
  expect(diff.split('\n').filter((line) => /^[+-]/.test(line))).toEqual([
    '--- pinned',
    '+++ now',
    '+  Sends it away.',
    '-  "properties": {},',
    '+  "properties": {',
    '+    "path": {',
    '+      "type": "string"',
    '+    }',
    '+  },',
  ])
})

test('a hidden character that is all that changed shows, and nothing moves the cursor of a terminal', () => {
  const diff = changeDiff(content(), content({ description: 'Reads\u200b a file.\u001b[2J\u202e' }))
  expect(diff).toContain('+  Reads\\u{200b} a file.\\u{1b}[2J\\u{202e}')
  expect(diff).toMatch(/^[\n\x20-\x7e]*$/)
})

test('one word of a long line is one changed line', () => {
  const words = Array.from({ length: 400 }, (_, at) => `word${at}`)
  const diff = changeDiff(
    content({ description: words.join(' ') }),
    content({ description: words.with(200, 'other').join(' ') }),
  )
  expect(diff.split('\n').filter((line) => /^[+-] /.test(line))).toHaveLength(2)
})

test('texts that share nothing, and texts of megabytes, are compared in bounded time', () => {
  const lines = (seed: string) => Array.from({ length: 100_000 }, (_, at) => `${seed} ${at}`).join('\n')
  const spentMs = startCpuClock()
  const diff = changeDiff(content({ description: lines('a') }), content({ description: lines('b') }))
  expect(diff).toContain('+  b 1\n')
  expect(diff).toContain('(cut here)')
  // Without a bound the work grows with the square: minutes.
  expect(spentMs()).toBeLessThan(5_000)
})

test('icons and _meta stand in the difference, and what has no schema has none there', () => {
  const prompt = { description: 'Greets.', listing: { name: 'greet', _meta: { note: 'a' } } }
  const diff = changeDiff(prompt, { ...prompt, listing: { name: 'greet', _meta: { note: 'b' } } })
  expect(diff).toContain('-    "note": "a"\n+    "note": "b"')
  expect(diff).not.toContain('input schema')
})

test('a tool without a pin is shown whole', () => {
  expect(changeDiff(undefined, content())).toContain('+  Reads a file.')
})
