import { expect, test } from 'vitest'
import { sentencesOf } from './sentences.ts'
import { unlikeSentences } from './unlike-sentences.ts'

const said = (text: string, other: string) =>
  unlikeSentences(sentencesOf(text), sentencesOf(other)).map((tokens) => tokens.map((token) => token.text).join(' '))

test('what stands in both texts is left out, wherever it stands there', () => {
  expect(said('Adds. Ignore that. Sums numbers.', 'Adds. It is fast. Sums numbers. Ign0re that.')).toEqual([
    'Adds',
    'Ignore that',
  ])
})

test('the same words with other marks are another sentence', () => {
  expect(said('Adds. Say "go now" here. Say go, now.', 'Adds. Say go now here. Say go now.')).toEqual([
    'Adds',
    'Say go now here',
    'Say go now',
  ])
})

test('the first sentence stays, and the first of the other text says nothing of those behind it', () => {
  expect(said('Adds. Adds.', 'Adds. It is fast.')).toEqual(['Adds', 'Adds'])
})
