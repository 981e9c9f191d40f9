import { FENCES_MAX } from '../limits.ts'
import type { Span } from '../parsing/parse-program.ts'

/** A block of fenced code. */
export interface Fence extends Span {
  /** First word behind the opening marks, in small letters. */
  readonly language: string
  /** Where its opening marks stand. */
  readonly open: number
}

const OPEN = /^[ \t]*(`{3,}|~{3,})[ \t]*(?:\{\.?)?([\w+#.-]*)[^`\n]*$/
/** Marks of other languages, and two backticks where three were meant: alone on their line, or with a language. */
const ODD_OPEN = /^[ \t]*('{3}|"{3}|``(?!`))[ \t]*([\w+#.-]*)[ \t]*$/
const INLINE = /^[ \t]*```(?!`)[ \t]*(?:(javascript|js|typescript|ts)[ \t])?(.*?)```[ \t]*$/
const OPEN_BEHIND_TEXT = /[:.][ \t]*(`{3,})([\w-]*)[ \t]*$/

// A longer line opens no block; the patterns take the square of its length.
const OPEN_LENGTH = 200
const INLINE_LENGTH = 4_000

/** The fenced blocks of a text; the last one may be without its closing marks. */
export function findFences(text: string): readonly Fence[] {
  const fences: Fence[] = []
  let current: (Fence & { readonly marks: string }) | undefined
  for (const line of linesIn(text)) {
    if (current === undefined) {
      const inline = line.text.length <= INLINE_LENGTH ? INLINE.exec(line.text) : null
      if (inline !== null) {
        const start =
          line.start + line.text.indexOf(inline[2] ?? '', line.text.indexOf('```') + 3 + (inline[1] ?? '').length)
        fences.push({ language: inline[1] ?? '', open: line.start, start, end: start + (inline[2] ?? '').length })
        continue
      }
      const open = line.text.length <= OPEN_LENGTH ? openingOf(line.text) : null
      if (open === null) continue
      current = {
        marks: open[1] ?? '',
        language: (open[2] ?? '').toLowerCase(),
        open: line.start,
        start: line.next,
        end: text.length,
      }
    } else {
      const end = closingAt(line, current.marks)
      if (end === undefined) continue
      fences.push({ language: current.language, open: current.open, start: current.start, end })
      current = undefined
    }
    if (fences.length >= FENCES_MAX) return fences
  }
  if (current !== undefined && current.start < text.length) {
    const { language, open, start, end } = current
    fences.push({ language, open, start, end })
  }
  return fences.filter((fence) => text.slice(fence.start, fence.end).trim() !== '')
}

function openingOf(line: string): RegExpExecArray | null {
  return OPEN.exec(line) ?? OPEN_BEHIND_TEXT.exec(line) ?? ODD_OPEN.exec(line)
}

interface Line extends Span {
  readonly text: string
  readonly next: number
}

/** Where the content ends; undefined where this line does not close it. */
function closingAt(line: Line, marks: string): number | undefined {
  const trimmed = line.text.trim()
  const char = marks[0] ?? '`'
  if (trimmed.length >= marks.length && trimmed === char.repeat(trimmed.length)) return line.start
  // Marks of a chat format behind the closing ones.
  if (trimmed.startsWith(marks) && /^<(?:[|｜/]|end_of_turn|end_code)/.test(trimmed.slice(marks.length).trimStart()))
    return line.start
  // `return 1```: three backticks end no JavaScript.
  if (char === '`' && trimmed.endsWith(marks) && !trimmed.startsWith(marks))
    return line.start + line.text.lastIndexOf(marks)
  return undefined
}

function* linesIn(text: string): Generator<Line> {
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const next = found < 0 ? text.length : found + 1
    const end = found < 0 ? text.length : text[found - 1] === '\r' ? found - 1 : found
    yield { start, end, next, text: text.slice(start, end) }
    start = next
  }
}
