import { EXCERPT_WIDTH } from '../limits.ts'

/** Counts from 1, columns in UTF-16 units, as V8 and editors do. */
interface Position {
  readonly line: number
  readonly column: number
}

/** The line ends of the language: also the two of Unicode. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g

export interface Lines {
  readonly positionOf: (offset: number) => Position
  readonly offsetOf: (position: Position) => number
  /** '' where there is no such line. */
  readonly textOf: (line: number) => string
}

export function linesOf(text: string): Lines {
  const starts = [0]
  const ends: number[] = []
  for (const end of text.matchAll(LINE_END)) {
    ends.push(end.index)
    starts.push(end.index + end[0].length)
  }
  ends.push(text.length)
  return {
    positionOf(offset) {
      const index = Math.max(0, lastAtMost(starts, offset))
      return { line: index + 1, column: Math.max(0, offset - (starts[index] ?? 0)) + 1 }
    },
    offsetOf({ line, column }) {
      const start = starts[line - 1]
      if (start === undefined) return line < 1 ? 0 : text.length
      return Math.min(start + Math.max(0, column - 1), ends[line - 1] ?? text.length)
    },
    textOf: (line) => (line < 1 ? '' : text.slice(starts[line - 1] ?? text.length, ends[line - 1] ?? text.length)),
  }
}

/** The line with a caret under the column; of a long line the part around it. */
export function excerpt(line: string, column: number): string {
  const at = Math.min(Math.max(0, column - 1), line.length)
  const from =
    line.length <= EXCERPT_WIDTH ? 0 : Math.max(0, Math.min(at - EXCERPT_WIDTH / 2, line.length - EXCERPT_WIDTH))
  const shown = line
    .slice(from, from + EXCERPT_WIDTH)
    .toWellFormed()
    .replaceAll('\t', ' ')
  const start = from > 0 ? '…' : ''
  const end = from + EXCERPT_WIDTH < line.length ? '…' : ''
  return `  ${start}${shown}${end}\n  ${' '.repeat(start.length + at - from)}^`
}

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The line around a place, without its end. */
export function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset)
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end < 0 ? text.length : end)
}

/** Only spaces stand in front of it on its line. */
export function isFirstOfLine(text: string, offset: number): boolean {
  return /(?:^|[\n\r])[ \t]*$/.test(text.slice(Math.max(0, offset - 80), offset))
}
