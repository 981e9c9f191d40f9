import type { Presentation } from '../../bridge/presentation/presentation.ts'
import type { ChatMessage, Reasoning, StepEnd, ToolCallPart, Usage } from '../providers/provider.ts'
import type { StepChoice } from './tool-choice.ts'
import type { TurnDeps, TurnEvent, TurnRequest } from './turn.ts'

/** Between the texts of two model steps in the one answer that a client sees. */
export const STEP_SEPARATOR = '\n\n'

export interface ModelStep {
  readonly text: string
  readonly calls: readonly ToolCallPart[]
  readonly reason: StepEnd
  readonly usage?: Usage
  readonly reasoning?: Reasoning
  readonly ms: number
}

export interface StepInput {
  readonly step: number
  readonly presentation: Presentation
  readonly messages: readonly ChatMessage[]
  readonly choice: StepChoice
  readonly parameters: TurnRequest['parameters']
  /** Whether an earlier step of the turn spoke: then a blank line stands between. */
  readonly isContinued: boolean
  readonly emit: (event: TurnEvent) => Promise<void>
}

/** One answer of the model; its text goes out as it comes. */
export async function runModelStep(
  input: StepInput,
  deps: Pick<TurnDeps, 'provider' | 'model' | 'trace' | 'nowMs'>,
  signal: AbortSignal,
): Promise<ModelStep> {
  const { provider, model } = deps
  return deps.trace('model-step', { step: input.step, provider: provider.name, model }, async (span) => {
    const startMs = deps.nowMs()
    const request = {
      model,
      messages: input.messages,
      tools: input.presentation.definitions(),
      ...(input.choice.choice !== undefined && { toolChoice: input.choice.choice }),
      parameters: input.parameters,
    }
    let text = ''
    const calls: ToolCallPart[] = []
    let end: Pick<ModelStep, 'reason' | 'usage' | 'reasoning'> = { reason: 'stop' }
    for await (const event of provider.step(request, signal)) {
      if (event.kind === 'text') {
        if (text === '' && input.isContinued) await input.emit({ kind: 'text', text: STEP_SEPARATOR })
        text += event.text
        await input.emit(event)
      } else if (event.kind === 'tool-call') {
        calls.push(event.call)
      } else {
        end = event
      }
      signal.throwIfAborted()
    }
    signal.throwIfAborted()
    const { reason, usage, reasoning } = end
    span.setAttributes({
      finishReason: reason,
      calls: calls.length,
      ...(usage && { promptTokens: usage.promptTokens, completionTokens: usage.completionTokens }),
    })
    return { text, calls, reason, ms: deps.nowMs() - startMs, ...(usage && { usage }), ...(reasoning && { reasoning }) }
  })
}
