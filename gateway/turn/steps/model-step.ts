import type { Presentation } from '../../../bridge/presentation/presentation.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import type { ChatMessage, ModelRequest, Reasoning, StepEnd, ToolCallPart, Usage } from '../../providers/provider.ts'
import { usageCounts } from '../../providers/usage-counts.ts'
import { StepText } from './step-text.ts'
import type { StepChoice } from './tool-choice.ts'
import type { TurnDeps, TurnEvent } from '../turn.ts'
import type { KeptRequest } from '../turn-state.ts'

export interface ModelStep {
  readonly text: string
  /** Whether the client has been given the text. */
  readonly isShown: boolean
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
    const said = new StepText({ ...input, parameters: input.request.parameters, mayCall: mayCall(request) })
    const calls: ToolCallPart[] = []
    let end: Pick<ModelStep, 'reason' | 'usage' | 'reasoning'> = { reason: 'stop' }
    for await (const event of provider.step(request, signal)) {
      if (event.kind === 'text') {
        await said.add(event.text)
      } else if (event.kind === 'tool-call') {
        calls.push(event.call)
      } else {
        end = event
      }
      signal.throwIfAborted()
    }
    signal.throwIfAborted()
    await said.end(calls.length > 0)
    const { reason, usage, reasoning } = end
    span.setAttributes({
      finishReason: reason,
      calls: calls.length,
      ...(usage && usageCounts(usage)),
    })
    const ms = Math.max(0, deps.nowMs() - startMs)
    await deps.hooks.afterModel({
      ...whereOf(input, deps),
      text: said.text,
      calls: calls.map(shownCall),
      finishReason: reason,
      ms,
    })
    const { text, isShown } = said
    return { text, isShown, calls, reason, ms, ...(usage && { usage }), ...(reasoning && { reasoning }) }
  })
}

function mayCall({ tools, toolChoice }: ModelRequest): boolean {
  return tools.length > 0 && toolChoice !== 'none'
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
