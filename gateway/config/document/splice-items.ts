import type { ArrayNode, ObjectNode, Token } from '@humanwhocodes/momoa'
import type { ConfigDocument } from './parse-document.ts'
import type { TextStyle } from './text-style.ts'

/** One replacement in a text. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

export type ContainerNode = ObjectNode | ArrayNode

export interface Addition {
  readonly style: TextStyle
  /** The item's text, for lines that begin with this white space. */
  readonly print: (base: string) => string
}

/** The text with all splices done; they must not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  // From the end, so that places stay right; of two at one place the later goes in first and so stands behind.
  const fromTheEnd = splices.toReversed().sort((a, b) => b.start - a.start)
  return fromTheEnd.reduce((done, { start, end, text: put }) => done.slice(0, start) + put + done.slice(end), text)
}

/** Adds an item after the last one, or as the first; comments stay where they are. */
export function insertItem(document: ConfigDocument, container: ContainerNode, addition: Addition): readonly Splice[] {
  const last = itemsOf(container).at(-1)
  if (!last) return insertFirst(document, container, addition)
  const { style, print } = addition
  const lastEnd = last.loc.end.offset
  const comma = commaAfter(document, lastEnd, container.loc.end.offset)
  const after = comma?.loc.end.offset ?? lastEnd
  const missingComma: readonly Splice[] = comma ? [] : [{ start: lastEnd, end: lastEnd, text: ',' }]
  const base = indentOfItems(document, container, last.loc.start.offset)
  if (base === undefined) {
    return [
      ...missingComma,
      { start: after, end: after, text: ` ${print(indentOfLine(document.text, after))}${comma ? ',' : ''}` },
    ]
  }
  const at = endOfComments(document, after)
  const end = comma ? ',' : ''
  return [...missingComma, { start: at, end: at, text: `${style.lineEnd}${base}${print(base)}${end}` }]
}

/** Takes an item out together with its comma and, where it had them to itself, its lines. */
export function removeItem(document: ConfigDocument, container: ContainerNode, index: number): readonly Splice[] {
  const items = itemsOf(container)
  const item = items[index]
  if (!item) return []
  const { text } = document
  const [start, itemEnd] = [item.loc.start.offset, item.loc.end.offset]
  const comma = commaAfter(document, itemEnd, container.loc.end.offset)
  // Comments may stand between an item and its comma: they stay, so that the two go one by one.
  if (comma && text.slice(itemEnd, comma.loc.start.offset).trim() !== '') {
    return [{ start, end: itemEnd, text: '' }, removal(comma)]
  }
  const [open, close] = [container.loc.start.offset + 1, container.loc.end.offset - 1]
  const around = text.slice(open, start) + text.slice(comma?.loc.end.offset ?? itemEnd, close)
  if (items.length === 1 && /^[ \t]*$/.test(around)) return [{ start: open, end: close, text: '' }]
  const previous = comma ? undefined : items[index - 1]
  const commaBefore = previous && commaAfter(document, previous.loc.end.offset, start)
  // Otherwise the comma of the item before would trail where none did.
  const separator = commaBefore ? [removal(commaBefore)] : []
  const end = comma?.loc.end.offset ?? itemEnd
  const rest = /^[ \t]*(\r?\n)?/.exec(text.slice(end))
  const restEnd = end + (rest?.[0].length ?? 0)
  const isAtLineStart = indentBefore(text, start) !== undefined
  if (isAtLineStart && rest?.[1] !== undefined) {
    return [...separator, { start: text.lastIndexOf('\n', start - 1) + 1, end: restEnd, text: '' }]
  }
  if (isAtLineStart || comma) return [...separator, { start, end: rest?.[1] === undefined ? restEnd : end, text: '' }]
  const gap = /[ \t]*$/.exec(text.slice(commaBefore?.loc.end.offset ?? start, start))?.[0].length ?? 0
  return [...separator, { start: start - gap, end: itemEnd, text: '' }]
}

function removal({ loc }: Token): Splice {
  return { start: loc.start.offset, end: loc.end.offset, text: '' }
}

function insertFirst(
  document: ConfigDocument,
  container: ContainerNode,
  { style, print }: Addition,
): readonly Splice[] {
  const { text } = document
  const [open, close] = [container.loc.start.offset + 1, container.loc.end.offset - 1]
  const inside = text.slice(open, close)
  const base = indentOfLine(text, container.loc.start.offset)
  const inline = print(base)
  const isRoot = container === document.tree.body
  if (!isRoot && inside.trim() === '' && !inside.includes('\n') && !inline.includes('\n')) {
    const gap = container.type === 'Object' ? ' ' : ''
    return [{ start: open, end: close, text: `${gap}${inline}${gap}` }]
  }
  const inner = base + style.indent
  const end = style.isStrictJson ? '' : ','
  const added = `${style.lineEnd}${inner}${print(inner)}${end}${style.lineEnd}${base}`
  // Comments inside stay above what is added.
  return [{ start: open + inside.trimEnd().length, end: close, text: added }]
}

function itemsOf(container: ContainerNode) {
  return container.type === 'Object' ? container.members : container.elements
}

function commaAfter(document: ConfigDocument, start: number, end: number): Token | undefined {
  const next = tokensBetween(document, start, end).find((token) => !isComment(token))
  return next?.type === 'Comma' ? next : undefined
}

function isComment({ type }: Token): boolean {
  return type === 'LineComment' || type === 'BlockComment'
}

function tokensBetween(document: ConfigDocument, start: number, end: number): readonly Token[] {
  return (document.tree.tokens ?? []).filter(({ loc }) => loc.start.offset >= start && loc.end.offset <= end)
}

/** Past the comments that begin on this line: they speak of what stands before them. */
function endOfComments(document: ConfigDocument, start: number): number {
  let end = start
  for (const token of tokensBetween(document, start, document.text.length)) {
    if (!isComment(token) || document.text.slice(end, token.loc.start.offset).includes('\n')) return end
    end = token.loc.end.offset
  }
  return end
}

/** The white space before an item that begins its line; undefined when something stands before it there. */
function indentBefore(text: string, start: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return /^[ \t]*$/.test(before) && text.lastIndexOf('\n', start - 1) !== -1 ? before : undefined
}

/** The indentation of items that stand on lines of their own; undefined when the last one follows another on its line. */
function indentOfItems(document: ConfigDocument, container: ContainerNode, lastStart: number): string | undefined {
  const lineStart = document.text.lastIndexOf('\n', lastStart - 1) + 1
  if (lineStart <= container.loc.start.offset) return undefined
  const isFirstOfLine = tokensBetween(document, lineStart, lastStart).every(isComment)
  return isFirstOfLine ? indentOfLine(document.text, lastStart) : undefined
}

function indentOfLine(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
