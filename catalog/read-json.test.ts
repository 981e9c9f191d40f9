import { expect, test } from 'vitest'
import { isJson, readJson, readJsonObject } from './read-json.ts'

test.each([
  ['null', null],
  ['0', 0],
  ['"{}"', '{}'],
  [' [1] ', [1]],
  ['{"a":null}', { a: null }],
])('%s is read as what it stands for', (text, value) => {
  expect(readJson(text)).toEqual(value)
  expect(isJson(text)).toBe(true)
})

test.each(['', 'words', '{"a":', '{"a":1} {}', "{'a':1}", 'undefined'])('%j is no JSON', (text) => {
  expect(readJson(text)).toBeUndefined()
  expect(isJson(text)).toBe(false)
})

test('only an object is read as one', () => {
  expect(readJsonObject('{"a":1}')).toEqual({ a: 1 })
  for (const text of ['[1]', 'null', '"{}"', '{']) expect(readJsonObject(text)).toBeUndefined()
})
