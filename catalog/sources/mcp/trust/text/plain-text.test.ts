import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test('letters that are struck through or underlined are read as the letters', () => {
  expect(plainText('D\u0332o n\u0332ot t\u0336ell')).toBe('Do not tell')
})

test('marks that belong to a letter stay, composed or not', () => {
  expect(plainText('cafe\u0301, nai\u0308ve, Ti\u1ebfng Vi\u1ec7t')).toBe('caf\u00e9, na\u00efve, Ti\u1ebfng Vi\u1ec7t')
})
