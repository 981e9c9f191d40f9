import { asciiLookAlike } from '../../../../schema/confusables.ts'

/**
 * A text as its reader means it: without characters that show nothing, compatible forms and letters of other scripts
 * inside Latin words written as what they look like. What hides from the eye must not hide from the rules.
 */
export function plainText(text: string): string {
  const visible = text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replace(/\p{Cc}/gu, (control) => (control === '\n' ? control : ' '))
    .normalize('NFKC')
  if (/^\p{ASCII}*$/u.test(visible)) return visible
  // What is left of marks over such a letter belongs to no language: it strikes the letter through, or underlines it.
  const unmarked = visible.replace(/([A-Za-z])\p{Mn}+/gu, '$1')
  return unmarked.replace(/[\p{L}\p{M}]+/gu, (word) => (/[A-Za-z]/.test(word) ? latinReading(word) : word))
}

function latinReading(word: string): string {
  return Array.from(word, (letter) => asciiLookAlike(letter) ?? letter).join('')
}
