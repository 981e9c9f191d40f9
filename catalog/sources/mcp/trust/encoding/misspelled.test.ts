import { expect, test } from 'vitest'
import { correctSpelling } from './misspelled.ts'

test.each([
  ['dirsegard', 'disregard'],
  ['isntructions', 'instructions'],
  ['guidlines', 'guidelines'],
  ['passwrod', 'password'],
  ['credentails', 'credentials'],
  ['Oveerride', 'override'],
])('letters that are moved, lost or doubled are put right: %s', (wrong, right) => {
  expect(correctSpelling(wrong)).toBe(right)
})

test.each(['forge', 'revel', 'token', 'ignored', 'passwords', 'prompter', 'sender', 'snippet'])(
  'a word of its own is left alone: %s',
  (word) => {
    expect(correctSpelling(word)).toBe(word)
  },
)

test('paths, addresses and identifiers are not spelled otherwise', () => {
  const text = 'See promt/readme, promt@host and my_promt.'
  expect(correctSpelling(text)).toBe(text)
})
