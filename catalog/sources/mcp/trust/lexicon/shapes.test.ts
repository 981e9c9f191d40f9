import { expect, test } from 'vitest'
import type { Token } from '../text/sentences.ts'
import { SHAPES } from './shapes.ts'

const aToken = (text: string): Token => ({
  text,
  word: text.toLowerCase(),
  start: 0,
  end: text.length,
  quotation: 0,
  isBeforeColon: false,
  isBeforeBreak: false,
})
const shapesOf = (text: string) => Object.keys(SHAPES).filter((name) => SHAPES[name]?.(aToken(text)) === true)

test.each([
  ['read_file', 'identifier'],
  ['readFile', 'identifier'],
  ['ops@relay.example', 'email'],
  ['0x52908400098527886e0f7030069857d2e4169ee7', 'wallet'],
  ['DE89370400440532013000', 'wallet'],
  ['203.0.113.9', 'host'],
])('a word is known by its look: %s is %s', (text, shape) => {
  expect(shapesOf(text)).toContain(shape)
})

test.each(['_a', 'a_', 'file', 'A', 'a@b', '@a.b', 'a@b@c.d'])('and what only begins like one is none: %s', (text) => {
  expect(shapesOf(text)).toEqual([])
})

test('a word of any length is told in one pass', () => {
  const words = ['a'.repeat(400_000), `${'a_'.repeat(200_000)}!`, `a@${'.'.repeat(400_000)}@`, 'aB'.repeat(200_000)]
  const before = process.cpuUsage()
  for (const word of words) shapesOf(word)
  const { user } = process.cpuUsage(before)
  // Some milliseconds; what goes back for each letter takes minutes.
  expect(user / 1_000).toBeLessThan(3_000)
})
