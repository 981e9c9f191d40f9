/** A text from its end to its beginning, by character. */
export function reversed(text: string): string {
  return Array.from(text).toReversed().join('')
}

/** Each Latin letter moved by 13 places. */
export function rotated(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCodePoint(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}
