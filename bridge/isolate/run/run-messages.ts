import { errorText } from './answer-text.ts'

/** Of an operation, in the message of a replay that diverged. */
const SHOWN_CHARS = 300

/** What a program hears of a call whose end nobody saw. */
export const UNKNOWN_END = errorText({
  kind: 'error',
  code: 'failed',
  message:
    'the call was under way when the run was interrupted; whether it had an effect is not known; check before you repeat it',
  effect: 'unknown',
})

/** Of what a worker said as it died, nothing that may hold a path. */
export function lastLine(reason: string): string {
  return reason.split(':')[0] ?? ''
}

export function timeoutMessage(which: 'wall' | 'CPU', limitMs: number): string {
  return which === 'wall'
    ? `the program took longer than its ${limitMs} ms; do less in one program, or wait for less`
    : `the program used more than its ${limitMs} ms of CPU time; compute less in one program`
}

export function memoryMessage(limitMb: number): string {
  return `the program used more than its ${limitMb} MiB of memory; hold less at one time`
}

export function divergence(id: number, recorded: string | undefined, asked: string | undefined): string {
  return `operation ${id}: the record has ${shown(recorded)}, the program asks ${shown(asked)}`
}

function shown(text: string | undefined): string {
  if (text === undefined) return 'nothing'
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}…`
}
