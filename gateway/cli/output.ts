import { stripVTControlCharacters, styleText } from 'node:util'
import type { JsonValue } from '../../catalog/json.ts'
import type { CliDeps } from './cli-deps.ts'

export interface Output {
  /** A line for people, or data as text. */
  readonly line: (text: string) => void
  readonly json: (value: JsonValue) => void
  /** Beside the result: hints, warnings, notes. */
  readonly note: (text: string) => void
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

export function createOutput(deps: Pick<CliDeps, 'stdout' | 'stderr' | 'isTerminal' | 'env'>): Output {
  const hasColour = deps.isTerminal && !deps.env['NO_COLOR']
  const paint = (format: 'bold' | 'dim', text: string): string =>
    hasColour ? styleText(format, text, { validateStream: false }) : text
  return {
    line: (text) => deps.stdout(`${text}\n`),
    json: (value) => deps.stdout(`${JSON.stringify(value)}\n`),
    note: (text) => deps.stderr(`${text}\n`),
    bold: (text) => paint('bold', text),
    dim: (text) => paint('dim', text),
  }
}

/** A text as it is, anything else as JSON that can be read. */
export function readable(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** Text of strangers on a terminal: it must not move the cursor, colour, or retitle the window. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (character) =>
    character === '\n' || character === '\t' ? character : ' ',
  )
}

/** Rows whose parts stand below each other, two blanks apart. */
export function inColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, part] of row.entries()) if (at < row.length - 1) widths[at] = Math.max(widths[at] ?? 0, part.length)
  }
  return rows.map((row) =>
    row.map((part, at) => (at < row.length - 1 ? part.padEnd(widths[at] ?? 0) : part)).join('  '),
  )
}

/** One line of at most so many characters. */
export function oneLine(text: string, chars: number): string {
  const flat = harmless(text).replace(/\s+/g, ' ').trim()
  return flat.length <= chars
    ? flat
    : `${flat
        .slice(0, chars - 1)
        .toWellFormed()
        .trimEnd()}…`
}
