import { LINE_MAX_CHARS } from './limits.ts'

/** A printed type, and what binds its parts together, for whoever puts it into another. */
export interface TypeText {
  readonly text: string
  readonly kind: 'atom' | 'union' | 'intersection'
  /** Of a union, so that a union of unions names each once. */
  readonly members?: readonly string[]
}

export const UNKNOWN: TypeText = { text: 'unknown', kind: 'atom' }
export const NEVER: TypeText = { text: 'never', kind: 'atom' }

export function atom(text: string): TypeText {
  return { text, kind: 'atom' }
}

export function union(parts: readonly TypeText[]): TypeText {
  if (parts.some((part) => part.text === 'unknown')) return UNKNOWN
  const texts = [
    ...new Set(parts.filter((part) => part.text !== 'never').flatMap((part) => part.members ?? [part.text])),
  ]
  const [first] = texts
  if (first === undefined) return NEVER
  if (texts.length > 1) return { text: texts.join(' | '), kind: 'union', members: texts }
  return parts.find((part) => part.text === first) ?? NEVER
}

export function intersection(parts: readonly TypeText[]): TypeText {
  if (parts.some((part) => part.text === 'never')) return NEVER
  const kept = parts.filter((part) => part.text !== 'unknown')
  const [first] = kept
  if (first === undefined) return UNKNOWN
  const texts = [...new Set(kept.map((part) => (part.kind === 'union' ? `(${part.text})` : part.text)))]
  return texts.length > 1 ? { text: texts.join(' & '), kind: 'intersection' } : first
}

export function arrayOf(item: TypeText): TypeText {
  return atom(item.kind === 'atom' && !item.text.endsWith('*/') ? `${item.text}[]` : `(${item.text})[]`)
}

/** Members in braces: on one line where they fit, else on one line each. */
export function braced(members: readonly string[], indent: string): TypeText {
  if (members.length === 0) return atom('{}')
  const chars = members.reduce((sum, member) => sum + member.length + 2, 4)
  const isShort = chars <= LINE_MAX_CHARS && !members.some((member) => member.includes('\n'))
  if (isShort) return atom(`{ ${members.join('; ')} }`)
  return atom(`{\n${members.map((member) => `${indent}  ${member}\n`).join('')}${indent}}`)
}
