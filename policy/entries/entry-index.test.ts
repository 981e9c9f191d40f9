import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesPattern } from '../pattern.ts'
import type { Subject } from '../subject.ts'
import { createEntryIndex } from './entry-index.ts'
import { groupsOf } from './groups.ts'

const NO_GROUPS = groupsOf({})

function subject(id: string, name: string): Subject {
  return { id, name, source: 'mcp', owner: 'o', annotations: {} }
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ':', '_', 'é', 'ß', '名'), maxLength: 12 })
const entry = fc.oneof(
  text,
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', ':', '_', '*', 'é', '名'), minLength: 1, maxLength: 10 }),
)

test('what an index finds is what trying every entry finds, in the same order', () => {
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 30 }),
      text,
      fc.tuple(text, fc.boolean()),
      (entries, head, [name, isTail]) => {
        const id = isTail ? `${head}${name}` : head
        const written = entries.map((each) => each.trim())
        const index = createEntryIndex({ path: ['deny'], entries: written }, NO_GROUPS)
        const expected = written.flatMap((each, position) =>
          matchesPattern(each, id) || matchesPattern(each, name) ? [position] : [],
        )
        const asked = subject(id.toLowerCase(), name.toLowerCase())
        expect(index.all(asked)).toEqual(expected)
        const [first] = expected
        expect(index.first(asked)).toEqual(
          first === undefined ? undefined : { text: written[first], path: ['deny', first] },
        )
      },
    ),
    { numRuns: 5_000 },
  )
})

test('a pattern is found whatever the length of its pieces, and `*` alone always', () => {
  const entries = ['*', '**', 'a*', '*d', '*b*', '*bc*', 'a*d', 'abcd*', '*abcd', 'abcde', '*x*']
  const index = createEntryIndex({ path: [], entries }, NO_GROUPS)
  expect(index.all(subject('abcd', 'abcd')).map((position) => entries[position])).toEqual([
    '*',
    '**',
    'a*',
    '*d',
    '*b*',
    '*bc*',
    'a*d',
    'abcd*',
    '*abcd',
  ])
  expect(index.all(subject('', ''))).toEqual([0, 1])
})
