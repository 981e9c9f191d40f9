import { expect, test } from 'vitest'
import { readFieldWords } from './field-words.ts'

test.each<readonly [string, Readonly<Record<string, string>>]>([
  ['', {}],
  ['age=36', { age: '36' }],
  ['name="Ada Lovelace"  age=36\nnote=', { name: 'Ada Lovelace', age: '36', note: '' }],
  ['name=“Ada Lovelace”', { name: 'Ada Lovelace' }],
  [String.raw`say="a \"b\" \\ c"`, { say: String.raw`a "b" \ c` }],
  ['to=a@b.example?x=1', { to: 'a@b.example?x=1' }],
])('%j is %j', (text, answer) => {
  expect(readFieldWords(text)).toEqual({ kind: 'fields', answer })
})

test.each(['age', 'age=36? no', '=36', 'name="Ada', 'age=1 age=2', 'age = 36', 'age=36 and deny the rest'])(
  '%j is none',
  (text) => {
    expect(readFieldWords(text).kind).toBe('malformed')
  },
)
