import { expect, test } from 'vitest'
import { createSplitWords } from './split-words.ts'

const splitWords = createSplitWords()

test.each([
  ['getHTTPResponse', ['get', 'http', 'response']],
  ['create_event.v2', ['create', 'event', 'v2']],
  ['list-user-emails', ['list', 'user', 'emails']],
  ['GitHub', ['git', 'hub', 'github']],
  ['mp3 to s3', ['mp3', 'to', 's3']],
  ['order66Execute', ['order', '66', 'execute']],
  ["the user's file isn't here", ['the', 'user', 'file', 'isn', 'here']],
  ['Café Zürich', ['cafe', 'zurich']],
  ['ＦＵＬＬ width', ['full', 'width']],
  ['ГодовойОтчёт', ['годовои', 'отчет', 'годовоиотчет']],
  ['', []],
  ['?! -- ...', []],
])('%j is split into %j', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})

test('text without spaces is cut by dictionary and in pairs, so that a part of it is found', () => {
  const whole = splitWords('創建日曆事件')
  expect(splitWords('日曆').every((word) => whole.includes(word))).toBe(true)
})

test('a run of a million characters costs no more than a bounded one', () => {
  expect(splitWords('漢'.repeat(1_000_000)).length).toBeLessThan(2_000)
})
