import { afterCalls } from '../store/errors.ts'
import type { ChatMessage, Usage } from '../providers/provider.ts'
import type { TurnDeps, TurnEvent } from './turn.ts'
import type { TurnLog } from './turn-log.ts'
import { clientKeysOf } from './steps/step-messages.ts'
import type { KeptRequest, StepCall, StepState, TurnState } from './turn-state.ts'

/** A turn under way: one stretch of it, from a request or from where it was parked. */
export interface Turn {
  readonly request: KeptRequest
  readonly deps: TurnDeps
  readonly log: TurnLog
  readonly progress: Progress
  readonly emit: (event: TurnEvent) => Promise<void>
  readonly signal: AbortSignal
}

/** What a turn has come to; the one thing in it that changes. */
export interface Progress {
  toolsAllow: readonly (readonly string[])[]
  head: readonly ChatMessage[]
  /** What the model had seen when this stretch began. */
  conversation: readonly ChatMessage[]
  /** Not yet in the session, ahead of what this stretch has produced. */
  fresh: readonly ChatMessage[]
  /** Whole steps of this stretch: an assistant message is never here without the results of its calls. */
  readonly produced: ChatMessage[]
  /** Whole steps of earlier stretches. */
  hidden: readonly ChatMessage[]
  readonly failures: Map<string, number>
  steps: number
  usage: Usage | undefined
  /** Whether the client has been given any text in this stretch. */
  hasSpoken: boolean
  /** It had waited before this stretch: from then on it outlives its gateway. */
  readonly isKept: boolean
  /** It is kept now, be it only while a call is held. */
  hasState: boolean
  isParked: boolean
  clientKeys: readonly string[]
}

export type TurnEnd = Extract<TurnEvent, { readonly kind: 'finished' | 'failed' }>

export function newProgress(): Progress {
  return {
    toolsAllow: [],
    head: [],
    conversation: [],
    fresh: [],
    produced: [],
    hidden: [],
    failures: new Map(),
    steps: 0,
    usage: undefined,
    hasSpoken: false,
    isKept: false,
    hasState: false,
    isParked: false,
    clientKeys: [],
  }
}

/** Goes on where the state was kept. */
export function progressOf(state: TurnState): Progress {
  return {
    ...newProgress(),
    toolsAllow: state.toolsAllow,
    head: state.head,
    conversation: state.conversation,
    fresh: state.unsaved,
    hidden: state.hidden,
    failures: new Map(state.failures),
    steps: state.steps,
    usage: state.usage,
    isKept: true,
    hasState: true,
    isParked: state.isParked,
    clientKeys: state.clientKeys,
  }
}

/** The turn as it stands now, to be kept. */
function stateOf({ request, progress }: Turn, step: StepState | undefined): TurnState {
  const { toolsAllow, head, conversation, fresh, produced, hidden, usage, steps, isParked, clientKeys } = progress
  const { id, caller, clientTools, toolChoice, parameters } = request
  return {
    request: { id, caller, clientTools, parameters, ...(toolChoice !== undefined && { toolChoice }) },
    toolsAllow,
    head,
    conversation: [...conversation, ...produced],
    unsaved: [...fresh, ...produced],
    hidden: [...hidden, ...produced],
    steps,
    failures: [...progress.failures],
    clientKeys,
    isParked,
    ...(usage && { usage }),
    ...(step && { step }),
  }
}

/** The newest last. */
export function addClientKeys(progress: Progress, calls: readonly StepCall[]): void {
  progress.clientKeys = [...new Set([...progress.clientKeys, ...clientKeysOf(calls)])]
}

export async function keepTurn(turn: Turn, step: StepState | undefined): Promise<void> {
  await turn.deps.keeper.keep(stateOf(turn, step))
  turn.progress.hasState = true
}

export async function forgetTurn({ deps, progress }: Turn): Promise<void> {
  if (!progress.hasState) return
  await deps.keeper.forget()
  progress.hasState = false
}

/** Nothing is kept of a turn whose first step failed, so that asking again does not ask twice. */
export async function saveHistory({ deps, progress }: Turn): Promise<void> {
  if (progress.produced.length === 0) return
  const messages = [...progress.fresh, ...progress.produced]
  progress.conversation = [...progress.conversation, ...progress.produced]
  progress.hidden = [...progress.hidden, ...progress.produced]
  progress.fresh = []
  progress.produced.length = 0
  const hasCalled = messages.some((message) => message.role === 'tool')
  await deps.appendHistory(messages).catch((error: unknown) => {
    throw hasCalled ? afterCalls(error) : error
  })
}
