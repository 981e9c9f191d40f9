import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../catalog/json.ts'
import type { CallAssembler } from './call-assembler.ts'
import { createCallAssembler } from './call-assembler.ts'
import type { FinishKind } from './finish-reason.ts'
import { finishKind } from './finish-reason.ts'
import { STEP_CALLS_MAX, STEP_OUTPUT_MAX_LENGTH } from '../limits.ts'
import { isJson } from '../../../catalog/read-json.ts'
import type { ModelEvent, Reasoning, StepEnd, ToolCallPart, Usage } from '../provider.ts'
import { ProviderError } from '../provider.ts'
import type { Chunk } from './read-chunk.ts'

/** The events of one model step out of its chunks: text as it comes, calls once they are whole, then the end. */
export async function* assembleStep(chunks: AsyncIterable<Chunk>, provider: string): AsyncGenerator<ModelEvent> {
  const calls = createCallAssembler({ newCallId })
  const sofar: Sofar = { length: 0, finish: undefined, usage: undefined, reasoning: '', details: [], isEnded: false }
  for await (const chunk of chunks) {
    for (const fragment of chunk.fragments) calls.add(fragment)
    takeChunk(sofar, chunk)
    if (sofar.length > STEP_OUTPUT_MAX_LENGTH) {
      throw invalidAnswer(provider, `sent more than ${STEP_OUTPUT_MAX_LENGTH} characters in one step`)
    }
    if (calls.count > STEP_CALLS_MAX) {
      throw invalidAnswer(provider, `asked for more than ${STEP_CALLS_MAX} calls in one step`)
    }
    if (chunk.text !== '') yield { kind: 'text', text: chunk.text }
  }
  const { usage } = sofar
  if (sofar.length === 0 && sofar.finish === undefined && calls.count === 0) {
    throw invalidAnswer(provider, 'ended its answer before it began; ask again')
  }
  // A proxy that gives up, or a server that is killed, may close a stream as if it had ended.
  if (!sofar.isEnded) throw cutOff(provider)
  const finish = sofar.finish === undefined ? undefined : finishKind(sofar.finish)
  if (finish === 'failed') throw brokenOff(provider, sofar.finish)
  const whole = wholeCalls(calls, finish, provider)
  for (const call of whole) yield { kind: 'tool-call', call }
  const reasoning = whole.length > 0 ? reasoningOf(sofar) : undefined
  const reason = endOf(finish, whole.length > 0)
  yield { kind: 'finish', reason, ...(usage && { usage }), ...(reasoning && { reasoning }) }
}

function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}

interface Sofar {
  length: number
  finish: string | undefined
  usage: Usage | undefined
  reasoning: string
  readonly details: JsonObject[]
  isEnded: boolean
}

function takeChunk(sofar: Sofar, chunk: Chunk): void {
  const { text, fragments, reasoning = '', details = [] } = chunk
  sofar.length += text.length + reasoning.length
  for (const fragment of fragments) sofar.length += fragment.arguments.length
  for (const detail of details) sofar.length += JSON.stringify(detail).length
  sofar.finish = chunk.finish ?? sofar.finish
  sofar.isEnded ||= chunk.isLast === true || chunk.finish !== undefined
  sofar.usage = chunk.usage ?? sofar.usage
  sofar.reasoning += reasoning
  sofar.details.push(...details)
}

function reasoningOf({ reasoning, details }: Sofar): Reasoning | undefined {
  if (reasoning === '' && details.length === 0) return undefined
  return {
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
  }
}

/** The last call may have been cut off by the token limit, or by a server that does not say why it ended. */
function wholeCalls(
  assembler: CallAssembler,
  finish: FinishKind | undefined,
  provider: string,
): readonly ToolCallPart[] {
  const calls = assembler.finish()
  const last = calls.at(-1)
  if (!last) return calls
  const isJsonText = isJson(last.function.arguments)
  // Of a call that the limit cut off behind its name nobody knows what it was to be made with.
  if (finish === 'length' && (!isJsonText || assembler.isLastBare)) return calls.slice(0, -1)
  if (finish === undefined && !isJsonText)
    throw invalidAnswer(provider, 'broke off in the middle of a tool call; ask again')
  return calls
}

/** Gemini says `stop` with tool calls, others say nothing at all, so the calls decide. */
function endOf(finish: Exclude<FinishKind, 'failed'> | undefined, hasCalls: boolean): StepEnd {
  return hasCalls ? 'tool_calls' : (finish ?? 'stop')
}

function brokenOff(provider: string, reason: string | undefined): ProviderError {
  const message = `provider "${provider}" gave up in the middle of its answer (finish_reason ${JSON.stringify(reason?.slice(0, 100))}); ask again`
  return new ProviderError(message, { code: 'upstream_failed' })
}

function cutOff(provider: string): ProviderError {
  const message = `provider "${provider}" was cut off in the middle of its answer: its stream ended with neither a finish_reason nor [DONE]; ask again`
  return new ProviderError(message, { code: 'upstream_failed' })
}

function invalidAnswer(provider: string, what: string): ProviderError {
  return new ProviderError(`provider "${provider}" ${what}`, { code: 'upstream_invalid_answer' })
}
