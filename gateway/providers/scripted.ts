import { SCRIPTED_DELTA_LENGTH } from './limits.ts'
import type { ModelEvent, ModelRequest, Provider } from './provider.ts'
import { planStep } from './scripted/plan-step.ts'

/**
 * The embedded default where no model is configured: no model, but a deterministic stand-in that says so. It uses
 * whatever tools it is shown, the real way: it searches by the words of the message, fills in what the message says,
 * calls, and tells the result.
 */
export function createScriptedProvider(): Provider {
  return {
    name: 'scripted',
    async *step(request, signal) {
      for (const event of eventsOf(request)) {
        signal.throwIfAborted()
        yield await Promise.resolve(event)
      }
    },
  }
}

function eventsOf(request: ModelRequest): readonly ModelEvent[] {
  // No tokens are used, since no model runs.
  const usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 }
  const step = planStep(request)
  if (step.kind === 'say') {
    const deltas =
      step.text.match(new RegExp(`[^]{1,${SCRIPTED_DELTA_LENGTH}}(?=\\s|$)|[^]{1,${SCRIPTED_DELTA_LENGTH}}`, 'g')) ?? []
    return [...deltas.map((text) => ({ kind: 'text' as const, text })), { kind: 'finish', reason: 'stop', usage }]
  }
  const call = { name: step.name, arguments: JSON.stringify(step.args) }
  return [
    { kind: 'tool-call', call: { id: nextCallId(request), type: 'function', function: call } },
    { kind: 'finish', reason: 'tool_calls', usage },
  ]
}

/** Counted, not drawn, so that equal conversations give equal bytes. */
function nextCallId({ messages }: ModelRequest): string {
  const earlier = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
  return `call_scripted_${earlier.length + 1}`
}
