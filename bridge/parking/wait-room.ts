import type { Pending } from '../approval.ts'
import { pendingOf } from '../approving/ask-approval.ts'
import type { CallHold, Wait } from '../approving/call-hold.ts'
import type { FrozenCall } from '../approving/frozen-call.ts'
import type { JournalEvent, RunClock } from '../isolate/program-host.ts'
import type { Journal } from '../running/journal.ts'
import { PARK_SETTLE_MS } from '../limits.ts'
import { clientPending } from './client-pending.ts'
import type { WaitingCall } from './waiting-run.ts'

export interface WaitRoomDeps {
  readonly journal: Journal
  /** How long calls are held for a person before the run is parked. */
  readonly holdMs: number
  readonly callsInFlight: number
  readonly reachesClient: boolean
  /** Part of the ids of calls that leave for the client; nobody else can guess it. */
  readonly clientKey: string
  /** What waited when the run was parked before, and whether it was at all. */
  readonly before: readonly WaitingCall[] | undefined
  /** Keeps the run as it stands now, where a crash does not reach it. */
  readonly keep: () => Promise<void>
  /** All that the run waits for is people or the client, and nobody holds it any more. */
  readonly onPark: () => void
  /** Its record is too large to go on from, and it waits, or has waited: it cannot go on as it must. */
  readonly onOutgrown: () => void
}

/** What one operation needs to make its call, and to make it again. */
export interface HeldOperation {
  readonly hold: CallHold
  /** It waited in an earlier part of the run: what is made is what was asked about then. */
  readonly frozen: { readonly call: FrozenCall; readonly answer?: string } | undefined
}

/** Knows which calls of a run wait, and when nothing else is left to wait for. */
export class WaitRoom {
  readonly #deps: WaitRoomDeps
  readonly #parked = new AbortController()
  readonly #asked = new Set<number>()
  readonly #begun = new Set<number>()
  readonly #waits = new Map<number, WaitingCall>()
  readonly #before: Map<number, WaitingCall>
  #holdMs: number
  #sinceMs = 0
  #timer: NodeJS.Timeout | undefined
  #clock: RunClock | undefined
  /** From the first wait on the run outlives its gateway: each further call is written down before it is made. */
  #isKept: boolean
  #isClosed = false
  #keeping: Promise<void> = Promise.resolve()

  constructor(deps: WaitRoomDeps) {
    this.#deps = deps
    this.#holdMs = deps.holdMs
    this.#before = new Map((deps.before ?? []).map((wait) => [wait.operation, wait]))
    this.#isKept = deps.before !== undefined
  }

  get isParked(): boolean {
    return this.#parked.signal.aborted
  }

  /** Whether it can be left to itself: it waits, and has a record to go on from. */
  get isParkable(): boolean {
    return this.#waits.size > 0 && this.#deps.journal.events() !== undefined
  }

  /** What waits, those of an earlier part that have not been asked for again yet among them. */
  waits(): readonly WaitingCall[] {
    return [...this.#before.values(), ...this.#waits.values()].toSorted((a, b) => a.operation - b.operation)
  }

  notBegun(): readonly number[] {
    return [...this.#asked].filter((id) => !this.#begun.has(id) && !this.#before.has(id))
  }

  startClock(clock: RunClock): void {
    this.#clock = clock
  }

  /** Everything that happens in the run, in order. */
  record(event: JournalEvent): void {
    this.#deps.journal.record(event)
    if (event.kind === 'asked' && !event.asked.startsWith('timer:')) this.#asked.add(event.id)
    if (event.kind === 'answered') {
      this.#asked.delete(event.id)
      this.#begun.delete(event.id)
    }
    const mustBeKept = this.#isKept || [...this.#waits.values()].some(isForClient)
    if (mustBeKept && this.#deps.journal.events() === undefined) return this.#deps.onOutgrown()
    this.#look()
  }

  begin(operation: number): HeldOperation {
    this.#begun.add(operation)
    const before = this.#before.get(operation)
    const { answer } = before ?? {}
    const frozen = before && { call: before.call, ...(answer !== undefined && { answer }) }
    const { reachesClient } = this.#deps
    const hold: CallHold = {
      begin: (wait) => this.#wait(operation, wait),
      end: () => this.#leave(operation),
      parked: this.#parked.signal,
      reachesClient,
      pause: () => this.#pause(),
    }
    return { hold, frozen }
  }

  /** Nobody is there to hold anything for: it is parked as soon as nothing else is under way. */
  release(): void {
    this.#holdMs = 0
    this.#look()
  }

  /** The run has ended, or is parked: nothing parks it any more. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #wait(operation: number, { call, approval }: Wait): Promise<Pending> {
    const { clientKey } = this.#deps
    const known = this.#before.get(operation)
    // The client may have been given it already: it answers by the id that it knows.
    const given = known !== undefined && isForClient(known) ? known.pending : undefined
    const pending =
      approval === undefined ? (given ?? clientPending(call, { clientKey, operation })) : pendingOf(approval)
    if (this.#waits.size === 0) this.#sinceMs = performance.now()
    if (!this.#waits.has(operation)) this.#clock?.pause()
    this.#waits.set(operation, { operation, call, pending })
    this.#before.delete(operation)
    // A call that was parked and is asked for again is kept as it is already.
    if (known === undefined) await this.#keep()
    this.#look()
    return pending
  }

  /** For a question in the middle of a call, which cannot be parked: only the program's clock stands still meanwhile. */
  #pause(): () => void {
    this.#clock?.pause()
    let isPaused = true
    return () => {
      if (isPaused) this.#clock?.resume()
      isPaused = false
    }
  }

  async #leave(operation: number): Promise<void> {
    this.#before.delete(operation)
    if (this.#waits.delete(operation)) this.#clock?.resume()
    this.#look()
    // What is being written in this moment still says that this call waits: only what is kept after it says that it begins.
    await this.#keeping
    if (this.#isKept) await this.#keep()
  }

  /** One after the other, each as things stand when its turn comes: none overwrites a later one. */
  #keep(): Promise<void> {
    const kept = this.#keepAfter(this.#keeping)
    this.#keeping = kept.catch(() => {})
    return kept
  }

  async #keepAfter(before: Promise<void>): Promise<void> {
    await before
    await this.#deps.keep()
    this.#isKept = true
  }

  #look(): void {
    clearTimeout(this.#timer)
    if (this.isParked || this.#isClosed || !this.#isOnlyWaiting()) return
    const leftMs = [...this.#waits.values()].some(isForClient) ? 0 : this.#sinceMs + this.#holdMs - performance.now()
    // It is held without a bound, and so never parked.
    if (!Number.isFinite(leftMs)) return
    // What the program asks for in the same breath belongs to the same question.
    this.#timer = setTimeout(() => this.#park(), Math.max(PARK_SETTLE_MS, leftMs))
  }

  #isOnlyWaiting(): boolean {
    if (this.#waits.size === 0 || this.#deps.journal.events() === undefined) return false
    if ([...this.#begun].some((id) => !this.#waits.has(id))) return false
    return this.#begun.size === this.#asked.size || this.#begun.size >= this.#deps.callsInFlight
  }

  #park(): void {
    this.#parked.abort()
    this.#deps.onPark()
  }
}

function isForClient({ pending }: WaitingCall): boolean {
  return 'clientCall' in pending
}
