export type FieldWords =
  | { readonly kind: 'fields'; readonly answer: Readonly<Record<string, string>> }
  /** What is no `field=value`, or stands twice. */
  | { readonly kind: 'malformed'; readonly at: string }

/** One `field=value`: the value bare, or in quotes of a keyboard or of a chat that makes them typographic. */
const FIELD = /^([^\s="“”]+)=(?:"((?:[^"\\]|\\.)*)"|“([^”]*)”|([^\s"“”]*))(?:\s+|$)/u

/** Reads `name="Ada Lovelace" age=36`, and nothing beside such pairs. */
export function readFieldWords(text: string): FieldWords {
  const pairs = new Map<string, string>()
  let rest = text.trim()
  while (rest !== '') {
    const [whole, name, quoted, typographic, bare] = FIELD.exec(rest) ?? []
    if (whole === undefined || name === undefined || pairs.has(name))
      return { kind: 'malformed', at: rest.slice(0, 60) }
    pairs.set(name, quoted?.replaceAll(/\\(.)/gu, '$1') ?? typographic ?? bare ?? '')
    rest = rest.slice(whole.length)
  }
  return { kind: 'fields', answer: Object.fromEntries(pairs) }
}
