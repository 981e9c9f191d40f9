import type { Presentation } from '../../../bridge/presentation/presentation.ts'
import type { ToolChoice } from '../../providers/provider.ts'
import { TURN_STEPS_MAX } from '../limits.ts'
import type { KeptRequest } from '../turn-state.ts'

export interface StepChoice {
  readonly choice?: ToolChoice
  /** For the system message. */
  readonly note?: string
}

/**
 * What the client's tool choice means for one model step. `required` and a pinned function speak of the client's own
 * tools, so they hold until one of these is called; without client tools `required` asks for one call of ours.
 */
export function stepChoice(
  request: Pick<KeptRequest, 'toolChoice' | 'clientTools'>,
  presentation: Presentation,
  step: number,
): StepChoice {
  const { toolChoice, clientTools } = request
  if (toolChoice === undefined || toolChoice === 'auto') return step < TURN_STEPS_MAX ? {} : LAST_STEP
  if (toolChoice === 'none') return { choice: 'none' }
  if (toolChoice === 'required') return clientTools.length > 0 || step === 1 ? { choice: 'required' } : {}
  const { name } = toolChoice.function
  const shown = presentation.recall({ name, arguments: '{}' })
  if (shown.arguments === '{}') return { choice: { type: 'function', function: { name: shown.name } } }
  // It is called through another tool, which a pin cannot say.
  return { choice: 'required', note: `The client requires that you call "${name}": ${shown.name} ${shown.arguments}` }
}

/** What was found until then is worth more than a failure. */
const LAST_STEP: StepChoice = {
  choice: 'none',
  note: 'This is the last step of this turn: answer now from what you have, and say what is still open.',
}

/** What is wrong when a turn ends with these calls for the client; undefined when its choice was met. */
export function unmetChoice(
  request: Pick<KeptRequest, 'toolChoice' | 'clientTools'>,
  called: readonly string[],
): string | undefined {
  const { toolChoice, clientTools } = request
  if (toolChoice === 'required' && clientTools.length > 0 && called.length === 0) {
    return 'tool_choice "required" was not met: the model called none of the tools of the request'
  }
  if (typeof toolChoice !== 'object' || called.includes(toolChoice.function.name)) return undefined
  return `tool_choice "${toolChoice.function.name}" was not met: the model did not call it`
}
