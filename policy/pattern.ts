/**
 * True when the pattern covers the whole text, case-insensitively; `*` stands for any run of characters.
 * Linear in pattern times text: patterns come from configuration, texts from strangers.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return matchesParts(pattern.toLowerCase().split('*'), text.toLowerCase())
}

/** Compiled once where one pattern meets thousands of texts. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const parts = pattern.toLowerCase().split('*')
  return (text) => matchesParts(parts, text.toLowerCase())
}

/** The same of a pattern that is already split at its `*`; both it and the text are in lower case. */
export function matchesParts(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? ''
  if (parts.length === 1) return text === first
  const last = parts.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  let at = first.length
  // Leftmost match of each middle part leaves the most room for the rest.
  for (let part = 1; part < parts.length - 1; part += 1) {
    const literal = parts[part] ?? ''
    const found = text.indexOf(literal, at)
    if (found === -1 || found + literal.length > end) return false
    at = found + literal.length
  }
  return true
}
