import { expect, test } from 'vitest'
import { isPlain, plainLine, plainText, visibleText } from './plain-text.ts'

test.each([
  ['Delete\u200b the \u202efolder?\u{e0041}\u{e0042}\u0007', 'Delete the folder?'],
  ['one\r\ntwo\u2028three', 'one\ntwo\nthree'],
  ['top\n\n\n\n\n\nbottom', 'top\n\nbottom'],
  [`near${' '.repeat(400)}far`, 'near  far'],
  ['  \t edges  ', 'edges'],
  ['\ud800', '\ufffd'],
  ['Grüße, 你好 👍', 'Grüße, 你好 👍'],
])('of %j a person sees %j', (text, seen) => {
  expect(plainText(text, 100)).toBe(seen)
})

test('what is too long ends in a mark, never in half a character', () => {
  expect(plainText('x'.repeat(20), 10)).toBe(`${'x'.repeat(9)}…`)
  expect(plainText('👍'.repeat(20), 10).isWellFormed()).toBe(true)
  expect(plainLine('a\nb\n c', 10)).toBe('a b c')
})

test('a secret goes, whatever hides in it, and nothing is left of one where the text is cut', () => {
  const redact = (text: string): string => text.replaceAll('s3cret', '…')
  expect(plainText('the s3c\u200bret', 100, redact)).toBe('the …')
  expect([plainText('12345s3cret', 9, redact), plainLine('1234 s3cret', 9, redact)]).toEqual(['12345…', '1234 …'])
})

test('a model is given white space as it is, and nothing that nobody sees', () => {
  expect(visibleText('if x:\n        y\t\u{e0041}\u200b')).toBe('if x:\n        y\t')
})

test.each([
  ['plain', true],
  ['a\u200bb', false],
  ['a\nb', false],
  ['\ud800', false],
  ['é', true],
])('%j is seen as it is: %s', (text, is) => {
  expect(isPlain(text)).toBe(is)
})
