/** Characters that reorder, hide or break lines; a comment is one line of what can be seen. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\s]+/gu

/** A block comment with a leading space, or '' where there is nothing to say. */
export function comment(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join('; ')
  return text === '' ? '' : ` /* ${text} */`
}

/** Text of an author's for inside a comment: one line, cut at a word where one is near, and unable to close it. */
export function commentText(text: string, maxChars: number): string {
  // Cut first, so that a description of megabytes costs no more than a short one.
  const start = text.slice(0, maxChars * 2 + 64)
  const line = start.replace(HIDDEN, ' ').trim()
  // `*` beside `/` in either order, also across what was removed between them.
  const safe = line.replace(/\*(?=\/)/g, '* ').replace(/\/(?=\*)/g, '/ ')
  if (safe.length <= maxChars) return start.length < text.length ? `${safe}…` : safe
  const cut = safe.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')
  const space = cut.lastIndexOf(' ')
  return `${(space > maxChars * 0.6 ? cut.slice(0, space) : cut).trimEnd().replace(/\*$/, '')}…`
}
