import type { Pending } from '../../../bridge/approval.ts'
import type { FrozenCall } from '../../../bridge/approving/frozen-call.ts'
import type { CallHold, Wait } from '../../../bridge/approving/call-hold.ts'
import { pendingOf } from '../../../bridge/approving/ask-approval.ts'
import { CallerLeft } from '../../../bridge/parking/caller-left.ts'
import type { CallWaiting, ModelResult } from '../../../bridge/presentation/presentation.ts'
import type { ToolCallPart } from '../../providers/provider.ts'
import type { StepCall, StepCallState } from '../turn-state.ts'

export interface StepWaitsDeps {
  readonly turnId: string
  /** As they stand: all under way in a new step. */
  readonly calls: readonly StepCall[]
  readonly holdMs: number
  /** Whether the turn outlives its gateway already: then each change is kept. */
  readonly isKept: boolean
  readonly keep: (calls: readonly StepCall[]) => Promise<void>
  /** A call has begun to wait. */
  readonly onWaiting: (call: ToolCallPart, pending: readonly Pending[]) => void
}

/** The calls of one step while some of them may wait: what each has come to, kept as soon as there is a reason to. */
export class StepWaits {
  readonly #deps: StepWaitsDeps
  readonly #states: StepCallState[]
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #parking = new Set<AbortController>()
  #isKept: boolean
  #hasCallerLeft = false
  #keeping: Promise<void> = Promise.resolve()

  constructor(deps: StepWaitsDeps) {
    this.#deps = deps
    this.#states = deps.calls.map(({ state }) => state)
    this.#isKept = deps.isKept
  }

  get isKept(): boolean {
    return this.#isKept
  }

  calls(): readonly StepCall[] {
    return this.#deps.calls.map(({ call }, index) => ({ call, state: this.#states[index] ?? { kind: 'under-way' } }))
  }

  /** Whoever asked has left: nothing is held for it any more. */
  follow(signal: AbortSignal): void {
    const look = (): void => {
      this.#hasCallerLeft = signal.reason instanceof CallerLeft
      if (this.#hasCallerLeft) for (const parking of this.#parking) parking.abort()
    }
    if (signal.aborted) look()
    else signal.addEventListener('abort', look, { once: true })
  }

  forCall(index: number): CallWaiting {
    const parking = new AbortController()
    const hold: CallHold = {
      begin: async (wait) => this.#hold(index, wait, parking),
      end: () => this.#leave(index),
      parked: parking.signal,
      // The model's own call of a client's tool ends its step by itself.
      reachesClient: false,
    }
    return {
      turnId: this.#deps.turnId,
      hold,
      onRunWaiting: (run, pending) => this.#wait(index, { kind: 'run', run, pending }),
    }
  }

  async settled(index: number, result: ModelResult, clientId: () => string): Promise<void> {
    const state = this.#stateOf(index, result, clientId)
    this.#states[index] = state
    if (this.#isKept) await this.#keep()
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#parking.clear()
  }

  #stateOf(index: number, result: ModelResult, clientId: () => string): StepCallState {
    if (result.kind === 'client-call') {
      return { kind: 'client', id: clientId(), name: result.name, arguments: result.arguments }
    }
    const before = this.#states[index]
    if (result.waiting === undefined) return { kind: 'settled', text: result.text, isError: result.isError }
    if (before?.kind === 'run' || before?.kind === 'call') return { ...before, pending: result.waiting }
    // A program whose first wait could not be told of is still kept under its id.
    if (result.run !== undefined) return { kind: 'run', run: result.run.id, pending: result.waiting }
    return { kind: 'settled', text: result.text, isError: true }
  }

  async #hold(index: number, { call, approval }: Wait, parking: AbortController): Promise<Pending> {
    if (approval === undefined) throw new TypeError('a model gives its client calls by itself')
    const pending = pendingOf(approval)
    await this.#wait(index, { kind: 'call', call: withApproval(call, approval.id), pending: [pending] })
    // It may have left while the wait was being kept.
    if (this.#hasCallerLeft) {
      parking.abort()
      return pending
    }
    this.#parking.add(parking)
    this.#timers.add(setTimeout(() => parking.abort(), this.#deps.holdMs))
    return pending
  }

  async #wait(index: number, state: Extract<StepCallState, { kind: 'run' | 'call' }>): Promise<void> {
    const before = this.#states[index]
    this.#states[index] = state
    await this.#keep()
    const call = this.#deps.calls[index]?.call
    if (call !== undefined && !isSameWait(before, state)) this.#deps.onWaiting(call, state.pending)
  }

  async #leave(index: number): Promise<void> {
    this.#states[index] = { kind: 'under-way' }
    if (this.#isKept) await this.#keep()
  }

  /** One after the other, each as things stand when its turn comes. */
  #keep(): Promise<void> {
    this.#isKept = true
    const kept = this.#keeping.then(() => this.#deps.keep(this.calls()))
    this.#keeping = kept.catch(() => {})
    return kept
  }
}

function withApproval(call: FrozenCall, approval: string): FrozenCall {
  return { ...call, approval }
}

function isSameWait(before: StepCallState | undefined, { pending }: { readonly pending: readonly Pending[] }): boolean {
  if (before?.kind !== 'run' && before?.kind !== 'call') return false
  return JSON.stringify(before.pending) === JSON.stringify(pending)
}
