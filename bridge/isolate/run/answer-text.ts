import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Answer, Operation, RecordedAnswer } from '../program-host.ts'

/** The text that the isolate gets for an answer; one that is too large becomes an error that says so. */
export function answerText(answer: Answer, operation: Operation, maxBytes: number): RecordedAnswer {
  if (answer.kind === 'error') return errorText(answer)
  const json = JSON.stringify(answer.value) ?? 'null'
  const bytes = json.length * 3 <= maxBytes ? json.length : Buffer.byteLength(json)
  if (bytes <= maxBytes) return { kind: 'value', json }
  return errorText({
    kind: 'error',
    code: 'invalid-output',
    message: `the result has ${bytes} bytes, more than the ${maxBytes} that a program may get at once; ask the tool for less`,
    effect: operation.kind === 'call' ? 'done' : 'none',
  })
}

export function errorText(answer: Extract<Answer, { kind: 'error' }>): RecordedAnswer {
  const details = answer.details
  const fields: JsonObject = isJsonObject(details) ? details : details === undefined ? {} : { details }
  const effect = answer.effect ?? 'none'
  return { kind: 'error', json: JSON.stringify({ ...fields, code: answer.code, message: answer.message, effect }) }
}
