import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { inSpan } from '../../bridge/trace.ts'
import type { TurnDeps } from '../turn/turn.ts'

/**
 * Traces turns by the names of OpenTelemetry's GenAI conventions, which are in development: every name stands here. A span's
 * name holds nothing but what is configured, and no span holds a word of a message, an argument or a result.
 */
export const traceTurn: TurnDeps['trace'] = (name, attributes, work) => {
  const { kind, operation, about } = SPANS[name]
  const subject = about === undefined ? undefined : attributes[about]
  const called = subject === undefined ? operation : `${operation} ${subject}`
  const operationName = name === 'model-call' ? {} : { 'gen_ai.operation.name': operation }
  return inSpan({ name: called, kind }, { ...operationName, ...named(attributes) }, (span) =>
    work({
      setAttributes(later) {
        span.setAttributes(named(later))
        if (later['error'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      },
    }),
  )
}

/** A call of one of the shown tools has no name there: the tools that it calls in turn have `execute_tool`. */
const SPANS = {
  turn: { operation: 'invoke_agent', kind: SpanKind.INTERNAL, about: 'agent' },
  'model-step': { operation: 'chat', kind: SpanKind.CLIENT, about: 'model' },
  'model-call': { operation: 'model_call', kind: SpanKind.INTERNAL, about: undefined },
} as const

const NAMES: ReadonlyMap<string, string> = new Map([
  ['agent', 'gen_ai.agent.name'],
  ['callId', 'gen_ai.tool.call.id'],
  ['calls', 'drawbridge.calls'],
  ['completionTokens', 'gen_ai.usage.output_tokens'],
  ['cachedPromptTokens', 'gen_ai.usage.cache_read.input_tokens'],
  ['error', 'error.type'],
  ['finishReason', 'gen_ai.response.finish_reasons'],
  ['model', 'gen_ai.request.model'],
  ['name', 'gen_ai.tool.name'],
  ['promptTokens', 'gen_ai.usage.input_tokens'],
  ['provider', 'gen_ai.provider.name'],
  ['reasoningTokens', 'gen_ai.usage.reasoning.output_tokens'],
  ['session', 'gen_ai.conversation.id'],
  ['step', 'drawbridge.step'],
  ['turn', 'drawbridge.turn.id'],
])

function named(attributes: Readonly<Record<string, AttributeValue>>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => {
      // A request may ask for several answers there, so that it is a list.
      return [NAMES.get(key) ?? `drawbridge.${key}`, key === 'finishReason' ? [String(value)] : value]
    }),
  )
}
