import type { JsonValue } from '../../../catalog/json.ts'
import type { RunErrorCode } from '../../run.ts'
import { ERROR_MESSAGE_CHARS, ERROR_NAME_CHARS, VALUE_MAX_DEPTH } from '../limits.ts'
import type { AbsentMembers, ProgramLimits } from '../program-host.ts'
import type { ProgramMessage } from '../protocol.ts'

export type RunEnding =
  | { readonly kind: 'value'; readonly value: JsonValue; readonly absent?: AbsentMembers }
  | {
      readonly kind: 'error'
      readonly code: RunErrorCode
      readonly message: string
      readonly name?: string
      readonly line?: number
      readonly column?: number
    }
  | { readonly kind: 'stopped'; readonly answers: number }

/** `frameBytes` is at least the size of the value: only near the limit is it measured. */
export function valueEnding(
  { value, absent }: Extract<ProgramMessage, { kind: 'value' }>,
  frameBytes: number,
  outputBytes: number,
): RunEnding {
  if (frameBytes * 3 <= outputBytes || Buffer.byteLength(JSON.stringify(value)) <= outputBytes) {
    return { kind: 'value', value, ...(absent && { absent }) }
  }
  return { kind: 'error', code: 'limit', message: outputMessage(outputBytes) }
}

export function thrownEnding(message: Extract<ProgramMessage, { kind: 'thrown' }>): RunEnding {
  const { line, column } = message
  const ending = {
    kind: 'error',
    code: 'program-error',
    message: message.message.slice(0, ERROR_MESSAGE_CHARS),
    ...(message.name === '' ? {} : { name: message.name.slice(0, ERROR_NAME_CHARS) }),
  } as const
  return line === undefined || column === undefined ? ending : { ...ending, line, column }
}

/** Which limit, how much it is, what to do. */
export function limitEnding(limit: string, limits: ProgramLimits, bound: number | undefined): string {
  switch (limit) {
    case 'calls':
      return `the program asked for more than its ${limits.calls} calls; nothing of the step that did was started; do it in several programs`
    case 'output':
      return outputMessage(limits.outputBytes)
    case 'depth':
      return `the value is nested deeper than ${VALUE_MAX_DEPTH} levels; return a flatter one`
    default:
      return `the program used more than its ${bound ?? 'allowed'} ${limit}`
  }
}

function outputMessage(outputBytes: number): string {
  return `the value is larger than ${outputBytes} bytes; return a part of it, or a summary`
}
