import { randomUUID } from 'node:crypto'
import type { CallHold } from '../../../bridge/approving/call-hold.ts'
import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { Holding } from '../../parking/waiting-calls.ts'
import type { ClientQuestions } from '../asking/client-questions.ts'

/** What a call is made with so that it can wait. */
export interface Waitable {
  readonly hold: CallHold
  /** Calls of a program wait with its run, and are asked about as they come. */
  readonly onRunWaiting: (runId: string, approvals: readonly string[]) => void
  readonly signal: AbortSignal
}

/** One call of a client, from its request to its end, however many requests lie between. */
export interface HeldCall {
  /** Nobody can guess it; a client gets it to go on by. */
  readonly id: string
  readonly owner: Pick<Authenticated, 'token' | 'caller'>
  /** Its end, or that it is parked: then it goes on by itself when it is decided. */
  readonly first: Promise<ModelResult>
  /** What its tools ask the client. */
  readonly questions: ClientQuestions
  /** Resolves while there are approvals that the client has not been asked about. */
  asked(): Promise<void>
  /** Those. */
  takeAsked(): readonly string[]
  /** Whether the client was asked about this approval: it answers no other. */
  hasAsked(approval: string): boolean
  /** Waits no longer in this process. */
  park(): void
  /** Ends it as its client wants; one that is parked stays. */
  cancel(reason: unknown): void
}

export interface HeldCallDeps {
  readonly questions: ClientQuestions
  readonly holding: Holding
  readonly make: (waitable: Waitable) => Promise<ModelResult>
}

export function beginHeldCall(owner: HeldCall['owner'], { holding, questions, make }: HeldCallDeps): HeldCall {
  const stop = new AbortController()
  const everAsked = new Set<string>()
  let hasWaited = false
  let open: string[] = []
  let asked = Promise.withResolvers<void>()
  const ask = (approvals: readonly string[]): void => {
    open.push(...approvals)
    asked.resolve()
  }
  const hold: CallHold = {
    ...holding.hold,
    parked: holding.hold.parked,
    // Of a call that never waited nothing is kept, and the store need not be asked.
    end: async (callId) => (hasWaited ? holding.hold.end(callId) : undefined),
    async begin(wait) {
      hasWaited = true
      const pending = await holding.hold.begin(wait)
      if ('approval' in pending) ask([pending.approval])
      return pending
    },
  }
  const first = make({ hold, signal: stop.signal, onRunWaiting: (_runId, approvals) => ask(approvals) }).then(
    async (result) => {
      if (result.kind === 'result' && result.settled !== undefined) await holding.finish(result.settled)
      return result
    },
  )
  // Whoever asks next hears of it; nobody may.
  first.catch(() => {})
  return {
    id: `wait_${randomUUID()}`,
    owner,
    first,
    questions,
    asked: () => asked.promise,
    takeAsked() {
      const taken = open
      open = []
      for (const approval of taken) everAsked.add(approval)
      if (taken.length > 0) asked = Promise.withResolvers<void>()
      return taken
    },
    hasAsked: (approval) => everAsked.has(approval),
    park: () => holding.park(),
    cancel: (reason) => stop.abort(reason),
  }
}
