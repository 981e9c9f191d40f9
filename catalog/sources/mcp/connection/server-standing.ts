import type { SourceState } from '../../../source.ts'
import type { ServerJournal } from '../journal/server-journal.ts'
import type { DownReason } from './down-reason.ts'

export interface ServerStandingDeps {
  readonly server: string
  readonly journal: Pick<ServerJournal, 'warn'>
  readonly now: () => number
  /** Told of each change. */
  readonly setState: (state: SourceState) => unknown
}

/** Whether a server is there, since when, and what is said where it is not. */
export class ServerStanding {
  readonly #deps: ServerStandingDeps
  #state: SourceState
  #lastError: string | undefined

  constructor(deps: ServerStandingDeps) {
    this.#deps = deps
    this.#state = { kind: 'connecting', sinceMs: deps.now() }
  }

  get state(): SourceState {
    return this.#state
  }

  /** It may be there again. */
  get lastError(): string | undefined {
    return this.#lastError
  }

  /** What a call is told that cannot be made. */
  get absence(): string {
    const name = `MCP server "${this.#deps.server}"`
    if (this.#state.kind === 'down') return `${name} is down: ${this.#state.reason}`
    return this.#state.kind === 'ready' ? `${name} has just gone away` : `${name} is still connecting`
  }

  /** Begins to tell. */
  start(): void {
    this.#deps.setState(this.#state)
  }

  ready(): void {
    this.#set({ kind: 'ready', sinceMs: this.#deps.now() })
  }

  down({ reason, needs }: DownReason): void {
    this.#lastError = reason
    // Since when it has been down stays; why may change.
    const sinceMs = this.#state.kind === 'down' ? this.#state.sinceMs : this.#deps.now()
    if (this.#state.kind === 'down' && this.#state.reason === reason) return
    this.#deps.journal.warn(`down: ${reason}`)
    this.#set({ kind: 'down', sinceMs, reason, ...(needs && { needs }) })
  }

  /** Something went wrong that leaves it as it stands; the same again is no news. */
  fault(reason: string): void {
    if (reason !== this.#lastError) this.#deps.journal.warn(reason)
    this.#lastError = reason
  }

  #set(state: SourceState): void {
    this.#state = state
    this.#deps.setState(state)
  }
}
