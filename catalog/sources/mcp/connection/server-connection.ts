import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '../../../json.ts'
import type { SourceState } from '../../../source.ts'
import type { ToolDefinition } from '../../../tool.ts'
import { ToolUnavailable } from '../../../tool.ts'
import type { ServerJournal } from '../journal/server-journal.ts'
import { RETRY_AFTER_MAX_MS } from '../limits.ts'
import type { ServerAuthorization } from '../login/server-authorization.ts'
import type { McpServerConfig } from '../server-config.ts'
import type { CallFault } from '../tools/call-fault.ts'
import type { SessionHolder } from '../tools/call-tool.ts'
import { callableTools } from '../tools/callable-tools.ts'
import type { ToolList } from '../tools/list-tools.ts'
import type { DownReason } from './down-reason.ts'
import { downReason } from './down-reason.ts'
import type { ServerKnowledge } from './knowledge/server-knowledge.ts'
import { createServerKnowledge } from './knowledge/server-knowledge.ts'
import type { ServerMemory } from './knowledge/server-memory.ts'
import type { QuestionBudget } from './questions/question-budget.ts'
import { createQuestionBudget } from './questions/question-budget.ts'
import { listBounds, openSession } from './open-session.ts'
import type { Refreshed } from './refresh-schedule.ts'
import { createRefreshSchedule } from './refresh-schedule.ts'
import { ServerStanding } from './server-standing.ts'
import type { McpServerStatus } from './server-status.ts'
import { serverStatus } from './server-status.ts'
import type { OpenClientRequest } from './session/open-client.ts'
import type { SessionRequest } from './session/session-requests.ts'
import { createSessionSuccession } from './session/session-succession.ts'
import type { Session } from './session/session.ts'

export interface ServerConnectionDeps extends Omit<
  OpenClientRequest,
  'config' | 'verdict' | 'connectMs' | 'authorize' | 'budget'
> {
  readonly server: string
  readonly config: McpServerConfig
  readonly journal: ServerJournal
  readonly memory: ServerMemory
  /** Absent where the server is not logged in at: a process, or an address with a fixed header. */
  readonly authorization: ServerAuthorization | undefined
  readonly now: () => number
  readonly random: () => number
  readonly setTools: (tools: readonly ToolDefinition[]) => unknown
  /** Resolves when those that were set last can be found. */
  readonly taken: () => Promise<void>
  readonly setState: (state: SourceState) => unknown
}

/** Keeps one server connected for as long as it is configured, and calls its tools. */
export class ServerConnection {
  #deps: ServerConnectionDeps
  readonly #closing = new AbortController()
  /** Cuts the wait before the next attempt short, also when it has not begun yet. */
  #wake = new AbortController()
  readonly #standing: ServerStanding
  readonly #known: ServerKnowledge
  /** Replaced, with calls that may still be under way. */
  readonly #retired = new Set<Session>()
  #running: Promise<void> = Promise.resolve()
  readonly #sessions = createSessionSuccession<Session>()
  readonly #holder: SessionHolder
  /** Of all sessions: a server must not get another by connecting again. */
  readonly #budget: QuestionBudget

  constructor(deps: ServerConnectionDeps) {
    this.#deps = deps
    this.#known = createServerKnowledge({ ...deps, publish: (list) => this.#publish(list) })
    this.#standing = new ServerStanding(deps)
    this.#budget = createQuestionBudget(deps.now)
    this.#holder = {
      sessions: this.#sessions,
      absence: () => this.#standing.absence,
      reopenMs: deps.timing.reopenMs,
    }
  }

  /** Begins in the background, once `ready` settles. */
  start(ready: Promise<void>): void {
    this.#standing.start()
    // Found and described from the start; a call says that the server is not there yet.
    this.#known.recall()
    this.#running = ready
      .then(() => this.#run())
      .catch((error: unknown) => {
        // Only a defect of ours or of the sink comes here; it must not take the gateway down.
        this.#deps.journal.warn(`given up: ${error instanceof Error ? error.message : String(error)}`)
      })
  }

  /** Other settings of its calls (`concernsCallsAlone`): what is connected stays so, and calls under way go on as they began. */
  adjust(config: McpServerConfig): void {
    this.#deps = { ...this.#deps, config }
    this.#offer(this.#known.tools)
  }

  /** Connects anew, now: somebody has logged in or out, or wants to see it. */
  reconnect(): void {
    this.#deps.authorization?.keeper.forget()
    this.#sessions.current?.retire('it is being connected again')
    this.#wake.abort()
  }

  /**
   * Asks the server for something beside its tools; undefined where it has nothing of the kind.
   * @throws {ToolUnavailable} where it is not there
   */
  async request(request: SessionRequest, signal: AbortSignal): Promise<JsonObject | undefined> {
    const waitMs = Math.min(this.#deps.timing.reopenMs, request.waitMs)
    const session = this.#sessions.current ?? (await this.#sessions.reopened(undefined, waitMs, signal))
    if (session === undefined) throw new ToolUnavailable(this.#standing.absence)
    return session.request(request, signal)
  }

  async close(reason: string): Promise<void> {
    this.#closing.abort()
    const { current } = this.#sessions
    const sessions = [...this.#retired, ...(current === undefined ? [] : [current])]
    await Promise.all(sessions.map((session) => session.end(reason)))
    await this.#running
    this.#sessions.missed()
  }

  status(): McpServerStatus {
    const { tools } = this.#known
    const { current: session } = this.#sessions
    const { state, lastError } = this.#standing
    return serverStatus({ ...this.#deps, state, session, tools, lastError })
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    let failures = 0
    while (!signal.aborted) {
      const startedMs = this.#deps.now()
      this.#wake = new AbortController()
      const down = await this.#live()
      if (signal.aborted) return
      const wasStable =
        this.#deps.now() - startedMs >= this.#deps.timing.stableMs && this.#standing.state.kind === 'ready'
      this.#standing.down(down)
      const wake = AbortSignal.any([signal, this.#wake.signal])
      const askedMs = Math.min(down.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)
      // As long as it asks for, and not all who were told so in one moment.
      const waitMs = askedMs + this.#backoffMs(wasStable ? 0 : failures)
      if (down.needs === 'login' || waitMs > this.#deps.timing.reopenMs) this.#sessions.missed()
      await pause(waitMs, undefined, { signal: wake }).catch(() => {
        // The gateway stops, which the loop sees; or the wait is over.
      })
      failures = wasStable ? 1 : failures + 1
    }
  }

  /** One connection from its opening to its end; resolves with why it ended. */
  async #live(): Promise<DownReason> {
    let session: Session | undefined
    let looking: NodeJS.Timeout | undefined
    const schedule = createRefreshSchedule({
      refresh: async () => (session === undefined ? SAME : this.#refresh(session)),
      timing: this.#deps.timing,
    })
    try {
      session = await openSession(
        { ...this.#deps, known: this.#known, budget: this.#budget },
        () => schedule.notify(),
        this.#closing.signal,
      )
      this.#sessions.stands(session)
      this.#standing.ready()
      const { length } = this.#known.tools.definitions
      this.#deps.journal.info(`ready over ${session.transportKind}, ${session.protocolVersion}, ${length} tools`)
      session.watch()
      if (session.transportKind !== 'stdio') {
        looking = setInterval(() => schedule.notify(), this.#deps.timing.relistMs)
        looking.unref()
      }
      return this.#downBecause({ reason: await session.ended })
    } catch (error) {
      return this.#downBecause(downReason(error))
    } finally {
      clearInterval(looking)
      schedule.close()
      if (session === undefined) this.#sessions.missed()
      else this.#sessions.ended()
      await this.#leave(session)
    }
  }

  /** A login that is wanted is the reason, whatever a transport made of it. */
  #downBecause(down: DownReason): DownReason {
    const wanted = this.#deps.authorization?.keeper.wanted
    if (wanted !== undefined) return { reason: wanted, needs: 'login' }
    return { ...down, reason: this.#deps.journal.clean(down.reason) }
  }

  async #leave(session: Session | undefined): Promise<void> {
    if (session?.retirement === undefined) {
      await session?.end('done')
      return
    }
    this.#retired.add(session)
    void session.retirement.finally(() => this.#retired.delete(session))
  }

  async #refresh(session: Session): Promise<Refreshed> {
    try {
      const list = await session.listTools(listBounds(this.#deps), this.#closing.signal)
      const startedMs = performance.now()
      const hasChanged = this.#known.take(list)
      await this.#deps.taken()
      return { outcome: hasChanged ? 'changed' : 'same', heldMs: performance.now() - startedMs }
    } catch (error) {
      if (this.#closing.signal.aborted) return SAME
      const fault = session.readFault(error)
      this.#standing.fault(`tools could not be listed again: ${fault.error.message}`)
      if (await isOver(session, fault, this.#closing.signal)) session.retire(fault.error.message)
      return { outcome: 'failed', heldMs: 0 }
    }
  }

  #publish(list: ToolList): void {
    const [first] = list.problems
    if (first !== undefined) {
      this.#deps.journal.warn(`${list.problemCount} problems in the list of tools, the first: ${first}`)
    }
    this.#offer(list)
  }

  #offer({ definitions, bad = [] }: ToolList): void {
    const { config, timing, setTools } = this.#deps
    const callable = callableTools(definitions, { holder: this.#holder, config, callIdleMs: timing.callIdleMs })
    setTools([...callable, ...bad])
  }

  /** Doubles up to the maximum, with jitter so that many servers do not come back in one moment. */
  #backoffMs(failures: number): number {
    const { backoffFirstMs, backoffMaxMs } = this.#deps.timing
    return this.#deps.random() * Math.min(backoffMaxMs, backoffFirstMs * 2 ** failures)
  }
}

const SAME: Refreshed = { outcome: 'same', heldMs: 0 }

/** A ping tells where the fault leaves it open. */
async function isOver(session: Session, { session: standing }: CallFault, signal: AbortSignal): Promise<boolean> {
  return standing === 'doubtful' ? !(await session.answersPing(signal)) : standing !== 'kept'
}
