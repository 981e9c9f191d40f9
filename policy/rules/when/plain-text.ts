/** A text as a tool may read it too: signs that are not seen, and the size of letters, make no other word. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{C}+/gu, '')
    .trim()
    .toLowerCase()
}
