import { expect, test } from 'vitest'
import { createTextReader } from '../text/text-reader.ts'
import { WEIGHTS } from '../weights.ts'
import { readQuery } from './read-query.ts'

const reader = createTextReader()
const stepsOf = (text: string): string[][] =>
  readQuery(text, { reader, weights: WEIGHTS }).map((step) => step.words.map(({ word }) => word))
const weightOf = (text: string, word: string): number | undefined =>
  readQuery(text, { reader, weights: WEIGHTS })
    .flatMap((step) => step.words)
    .find((other) => other.word === word)?.weight

test.each([
  [
    'find the invoice and mail it to the customer',
    [
      ['find', 'invoice'],
      ['mail', 'customer'],
    ],
  ],
  [
    'Get the weather. Then book a flight to Rome.',
    [
      ['get', 'weather'],
      ['book', 'flight', 'rome'],
    ],
  ],
  ['bread and butter', [['bread', 'butter']]],
  ['please help me with it', [['please', 'help', 'me', 'with', 'it']]],
  ['', []],
])('%j is read as the steps %j', (text, steps) => {
  expect(stepsOf(text)).toEqual(steps)
})

test('what is quoted, an address or a path weighs less than what is asked', () => {
  const text = 'post "happy birthday" to https://example.org/wall and read /etc/motd'
  expect(weightOf(text, 'post')).toBe(1)
  for (const word of ['birthday', 'example', 'motd']) expect(weightOf(text, word)).toBe(WEIGHTS.literal)
})

test('a sentence that states something weighs less than one that asks', () => {
  const text = 'My username is ann. Set an alarm for eight.'
  expect(weightOf(text, 'username')).toBe(WEIGHTS.statement)
  expect(weightOf(text, 'alarm')).toBe(1)
})

test('a query of nothing but steps is cut to a bounded number of them', () => {
  expect(stepsOf('find mail. '.repeat(50)).length).toBeLessThanOrEqual(8)
})
