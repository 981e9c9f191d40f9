import type { ProgramEnd } from '../isolate/program-host.ts'
import { cutTextWithMark } from '../result/cut-text.ts'
import type { RunError, RunErrorCode } from '../run.ts'
import { ERROR_MESSAGE_BYTES } from './limits.ts'
import { placeOfName } from './text/name-place.ts'
import { excerpt } from './text/positions.ts'
import type { PreparedProgram } from './prepared-program.ts'
import { hintForError } from './hints/run-time-hints.ts'

/** The error of a run in the model's own terms: its place in the model's source, the line, and what to do about it. */
export function diagnose(
  end: Extract<ProgramEnd, { kind: 'error' }>,
  program: Extract<PreparedProgram, { kind: 'ready' }>,
): RunError {
  const text = messageOf(end)
  const place = placeOf(end, program)
  const line = place === undefined ? '' : program.sourceLine(place.line)
  const hint = hintOf(end.code, text, { line, code: program.code })
  const after = [place && excerpt(line, place.column), hint].filter((part) => part !== undefined)
  const shown =
    (place ? ` (line ${place.line}, column ${place.column})` : '') + after.map((part) => `\n${part}`).join('')
  return {
    code: end.code,
    message: cutTextWithMark(text, ERROR_MESSAGE_BYTES - Buffer.byteLength(shown)) + shown,
    ...place,
    ...(hint !== undefined && { hint }),
  }
}

interface Written {
  /** The line that the error is about, and the whole program. */
  readonly line: string
  readonly code: string
}

function hintOf(code: RunErrorCode, text: string, { line, code: program }: Written): string | undefined {
  if (code === 'program-error') return hintForError(text, line, program)
  // What is wrong with a value is in the message.
  if (code === 'limit' && text.startsWith('the value is ')) return text.includes('larger') ? VALUE_HINT : undefined
  return code === 'timeout' && BUSY_WAIT.test(program) ? CLOCK_HINT : HINTS[code]
}

/** `while (Date.now() < end)`. */
const BUSY_WAIT = /\bwhile\s{0,9}\([^\n{;]{0,120}?(?:\bDate\.now\(|\bnew Date\b)/

const CLOCK_HINT =
  'the clock of a program stands still while it computes, so a loop that waits for a time never ends: write await new Promise((resolve) => setTimeout(resolve, ms))'

const VALUE_HINT =
  'return only the fields that you need of the first few results, and keep the rest by tools.store for the next program'

const HINTS: Readonly<Record<RunErrorCode, string | undefined>> = {
  'program-error': undefined,
  timeout:
    'do less in one program: fewer calls or rounds, independent calls side by side with tools.callAll, no loop that only waits; go on in a second program from tools.store',
  memory: 'hold less at a time: keep only the fields that you need of each result, and work in parts',
  limit:
    'make fewer or smaller requests in one program: return and log only what you need, split the work, keep what goes on in tools.store',
  'worker-lost':
    'nothing wrong with the program is known; calls already made are listed and were not undone, so run it again only where they may be repeated',
  cancelled: undefined,
  'replay-diverged': 'the changed program asks for something else than the record holds; run it anew instead',
}

function messageOf({ name, message }: Extract<ProgramEnd, { kind: 'error' }>): string {
  const text = message === '' ? 'the program failed without a message' : message
  return name === undefined || name === '' || name === 'Error' || text.startsWith(name) ? text : `${name}: ${text}`
}

function placeOf(
  { line, column = 1, message }: Extract<ProgramEnd, { kind: 'error' }>,
  program: Extract<PreparedProgram, { kind: 'ready' }>,
): { readonly line: number; readonly column: number } | undefined {
  if (line === undefined) return undefined
  const missed = /^([\p{ID_Start}$_][\p{ID_Continue}$]{0,200}) is not defined$/u.exec(message)?.[1]
  const named = missed === undefined ? undefined : placeOfName(program.code, { line, column }, missed)
  return named === undefined ? program.toSource(line, column) : program.toSource(named.line, named.column)
}
