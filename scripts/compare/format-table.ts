import type { Comparison, ModeResult } from './comparison.ts'

const ROWS: readonly (readonly [string, (mode: ModeResult) => string | number])[] = [
  ['tools declared', (mode) => mode.toolsDeclared],
  ['bytes of tools', (mode) => mode.toolsBytes],
  ['bytes of prompt', (mode) => mode.promptBytes],
  ['bytes of first request', (mode) => mode.requestBytes],
  ['bytes of all requests', (mode) => mode.totalBytes],
  ['tokens, estimated', (mode) => mode.estimatedTokens],
  ['model steps', (mode) => mode.steps],
  ['searches', (mode) => mode.searches],
  ['describes', (mode) => mode.describes],
  ['calls', (mode) => mode.calls],
  ['wall time, ms', (mode) => mode.wallMs],
  ['final tool', (mode) => mode.finalTool],
  ['result', (mode) => mode.result],
]

/** A Markdown table, padded for a terminal: a row for each figure, a column for each mode. */
export function formatTable({ tools, modes }: Comparison): string {
  const head = [`${tools} tools`, ...modes.map((mode) => mode.mode)]
  const body = ROWS.map(([name, read]) => [name, ...modes.map((mode) => formatCell(read(mode)))])
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => (row[column] ?? '').length)))
  const format = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [format(head), rule, ...body.map(format)].join('\n')
}

function formatCell(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : value
}
