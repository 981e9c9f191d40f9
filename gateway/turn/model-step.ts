import type { Presentation } from '../../bridge/presentation/presentation.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { ChatMessage, Reasoning, StepEnd, ToolCallPart, Usage } from '../providers/provider.ts'
import type { StepChoice } from './tool-choice.ts'
import type { TurnDeps, TurnEvent } from './turn.ts'
import type { KeptRequest } from './turn-state.ts'

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
  readonly request: KeptRequest
  /** Whether an earlier step of the turn spoke: then a blank line stands between. */
  readonly isContinued: boolean
  readonly emit: (event: TurnEvent) => Promise<void>
}

/** A hook refused the step. */
export class StepBlocked extends Error {
  override readonly name = 'StepBlocked'
}

type StepDeps = Pick<TurnDeps, 'provider' | 'model' | 'trace' | 'nowMs' | 'hooks'>

/**
 * One answer of the model; its text goes out as it comes.
 * @throws {StepBlocked} with the reason for the client
 */
export async function runModelStep(input: StepInput, deps: StepDeps, signal: AbortSignal): Promise<ModelStep> {
  const { provider, model } = deps
  return deps.trace('model-step', { step: input.step, provider: provider.name, model }, async (span) => {
    const startMs = deps.nowMs()
    const tools = input.presentation.definitions()
    const request = {
      model,
      messages: input.messages,
      tools,
      ...(input.choice.choice !== undefined && { toolChoice: input.choice.choice }),
      parameters: await parametersOf(input, tools, { deps, signal }),
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
    const ms = deps.nowMs() - startMs
    await deps.hooks?.afterModel({
      ...whereOf(input, deps),
      text,
      calls: calls.map(shownCall),
      finishReason: reason,
      ms,
    })
    return { text, calls, reason, ms, ...(usage && { usage }), ...(reasoning && { reasoning }) }
  })
}

interface Asking {
  readonly deps: StepDeps
  readonly signal: AbortSignal
}

/** The parameters of the request, as hooks leave them. */
async function parametersOf(
  input: StepInput,
  tools: readonly { readonly name: string }[],
  { deps, signal }: Asking,
): Promise<JsonObject> {
  const { parameters } = input.request
  if (deps.hooks === undefined) return parameters
  const messages = input.messages.map((message) => ({ ...message }))
  const shown = { ...whereOf(input, deps), messages, tools: tools.map((tool) => tool.name), params: parameters }
  const verdict = await deps.hooks.beforeModel(shown, signal)
  signal.throwIfAborted()
  if (verdict.kind === 'block') throw new StepBlocked(verdict.reason)
  return verdict.params
}

function whereOf({ request, step }: StepInput, { provider, model }: StepDeps) {
  return { turnId: request.id, caller: request.caller, step, model: `${provider.name}/${model}` }
}

function shownCall({ id, function: body }: ToolCallPart) {
  return { id, name: body.name, arguments: body.arguments }
}
