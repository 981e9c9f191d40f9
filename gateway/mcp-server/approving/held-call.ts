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
  /** By `callKey`: what it is gone on with is this very call. */
  readonly key: string
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
  /**
   * A request waits for it, until the given function is called. When the last one that does is aborted, its client wants
   * it no more: it ends, unless it is parked or the client was asked to come back.
   */
  attend(signal: AbortSignal): () => void
  /** Its client is asked to come back by another request. */
  invite(): void
}

export interface HeldCallDeps {
  readonly key: () => string
  readonly questions: ClientQuestions
  readonly holding: Holding
  readonly make: (waitable: Waitable) => Promise<ModelResult>
}

export function beginHeldCall(owner: HeldCall['owner'], { key, holding, questions, make }: HeldCallDeps): HeldCall {
  const stop = new AbortController()
  const everAsked = new Set<string>()
  let hasWaited = false
  let made: string | undefined
  let open: string[] = []
  let asked = Promise.withResolvers<void>()
  const ask = (approvals: readonly string[]): void => {
    open.push(...approvals)
    asked.resolve()
  }
  const { pause, reachesClient } = holding.hold
  const hold: CallHold = {
    get parked() {
      return holding.hold.parked
    },
    reachesClient,
    ...(pause && { pause }),
    // Of a call that never waited nothing is kept, and the store need not be asked.
    end: async (callId) => (hasWaited ? holding.hold.end(callId) : undefined),
    async begin(wait) {
      hasWaited = true
      const pending = await holding.hold.begin(wait)
      if ('approval' in pending) ask([pending.approval])
      return pending
    },
  }
  const first = make({ hold, signal: stop.signal, onRunWaiting: (_runId, approvals) => ask(approvals) })
    .then(async (result) => {
      if (result.kind === 'result' && result.settled !== undefined) await holding.finish(result.settled)
      return result
    })
    .finally(() => holding.release())
  // Whoever asks next hears of it; nobody may.
  first.catch(() => {})
  return {
    id: `wait_${randomUUID()}`,
    owner,
    get key() {
      return (made ??= key())
    },
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
    ...createAttendance((reason) => stop.abort(reason)),
  }
}

function createAttendance(cancel: (reason: unknown) => void): Pick<HeldCall, 'attend' | 'invite'> {
  const attending = new Set<AbortSignal>()
  let isInvited = false
  return {
    attend(signal) {
      isInvited = false
      attending.add(signal)
      const onAbort = (): void => {
        attending.delete(signal)
        if (attending.size === 0 && !isInvited) cancel(signal.reason)
      }
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort, { once: true })
      return () => {
        attending.delete(signal)
        signal.removeEventListener('abort', onAbort)
      }
    },
    invite: () => void (isInvited = true),
  }
}
