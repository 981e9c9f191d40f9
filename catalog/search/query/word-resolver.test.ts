import { expect, test } from 'vitest'
import { createWordResolver } from './word-resolver.ts'

const resolver = createWordResolver()
for (const word of ['calendar', 'calender2', 'tables', 'stories', 'site', 'sites', 'list', 'professional']) {
  resolver.add(word)
}
const always = (): boolean => true

test.each([
  ['calender', 'calendar'],
  ['talbes', 'tables'],
  ['prfessional', 'professional'],
  ['stori', 'stories'],
])('%s may have meant %s', (asked, meant) => {
  const resolved = resolver.resolve(asked, always)
  expect(resolved.kind === 'instead' && resolved.alternatives[0]?.word).toBe(meant)
})

test('words run together are parted', () => {
  const isHeld = (word: string): boolean => ['sites', 'list'].includes(word)
  expect(resolver.resolve('siteslist', isHeld)).toEqual({ kind: 'split', parts: ['sites', 'list'] })
})

test.each(['qwxz', 'ab', 'x'.repeat(500), '12345', ''])('%j means nothing that is known', (word) => {
  expect(resolver.resolve(word, () => false)).toEqual({ kind: 'none' })
})

test('a word that no tool of the view holds is not proposed', () => {
  expect(resolver.resolve('calender', (word) => word === 'tables')).toEqual({ kind: 'none' })
})
