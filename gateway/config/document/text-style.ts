import type { DocumentNode } from '@humanwhocodes/momoa'

/** How a file is written, so that what is added to it looks the same. */
export interface TextStyle {
  readonly lineEnd: '\n' | '\r\n'
  readonly indent: string
  readonly quote: "'" | '"'
  /** Keys in quotes, no trailing commas: what strict JSON readers need. */
  readonly isStrictJson: boolean
}

export function textStyleOf(text: string, tree: DocumentNode): TextStyle {
  const strings = (tree.tokens ?? []).filter(({ type }) => type === 'String')
  const singles = strings.filter(({ loc }) => text[loc.start.offset] === "'").length
  const hasBareKeys = (tree.tokens ?? []).some(({ type }) => type === 'Identifier')
  const isStrictJson = strings.length > 0 && singles === 0 && !hasBareKeys
  return {
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
    indent: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
    quote: isStrictJson || singles * 2 < strings.length ? '"' : "'",
    isStrictJson,
  }
}
