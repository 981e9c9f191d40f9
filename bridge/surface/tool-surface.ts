import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { TOOL_ID_MAX_LENGTH } from '../../catalog/limits.ts'
import type { ViewSearch } from '../../catalog/search-view.ts'
import type { SearchIndex } from '../../catalog/search/search-index.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import type { CallHold } from '../approving/call-hold.ts'
import type { AskClient } from '../asking/ask-client.ts'
import { readDescribeRequest } from './describe-request.ts'
import type { CallTarget, Dispatch } from '../dispatcher.ts'
import type { OnProgress } from '../dispatching/call-request.ts'
import { NoticeList } from './notice-list.ts'
import type { Notice, SettledCall } from '../outcome.ts'
import type { QueryMemory } from './query-memory.ts'
import type { SearchSettings } from './search-request.ts'
import { readSearchRequest } from './search-request.ts'
import type { SurfaceAnswer, ViewReader, ViewReaderDeps } from './view-reader.ts'
import { createViewReader, invalid } from './view-reader.ts'

export type { SurfaceAnswer } from './view-reader.ts'

export interface SurfaceDeps extends ViewReaderDeps {
  readonly index: Pick<SearchIndex, 'search' | 'learn'>
  readonly dispatch: Dispatch
  readonly newId: () => string
  readonly settings: SearchSettings
}

export interface SurfaceOptions {
  readonly view: View
  readonly caller: Caller
  readonly memory: QueryMemory
  /** Set for the calls of a program; their ids are `<run>/<n>`. */
  readonly runId?: string
  readonly turnId?: string
  /** The model's own call that these are made in. */
  readonly parentCallId?: string
  /** Calls of an earlier part of the run: the next one's number follows. */
  readonly callCount?: number
  readonly onProgress?: OnProgress
  /** Where the questions of running tools go first. */
  readonly askClient?: AskClient
  /** Keeps calls that wait, unless each is given a hold of its own. */
  readonly hold?: CallHold
}

/** A call with what it needs to wait. */
export interface HeldCall {
  readonly target: CallTarget
  readonly args: JsonValue
  readonly hold?: CallHold
}

/** What one caller can ask of its view, by whatever presentation, program or route; it counts what was asked. */
export interface ToolSurface {
  readonly view: View
  readonly caller: Caller
  /** `{ query | queries, limit?, cursor?, filter?, explain? }`. */
  search(form: JsonValue): SurfaceAnswer
  /** One id or a list of ids, in whose answer `{ id, error }` stands for each that is wrong; with `{ of?: 'input' | 'output', path }` a part of one tool's schema. */
  describe(ids: JsonValue, options?: JsonValue): SurfaceAnswer
  call(target: CallTarget, args: JsonValue, signal: AbortSignal): Promise<SettledCall>
  callHeld(call: HeldCall, signal: AbortSignal): Promise<SettledCall>
  /** Calls made so far, those of an earlier part of the run among them. */
  callCount(): number
  /** Said with the run, beside what the calls say themselves. */
  note(notices: readonly Notice[]): void
  /** Resolves when no call is under way: after an abort, once each has told how it ended. */
  drained(): Promise<void>
  counts(): { readonly searches: number; readonly describes: number }
  /** In the order in which they ended. */
  settled(): readonly SettledCall[]
  notices(): readonly Notice[]
}

export function createToolSurface(deps: SurfaceDeps, options: SurfaceOptions): ToolSurface {
  return new Surface(deps, options)
}

class Surface implements ToolSurface {
  readonly view: View
  readonly caller: Caller
  readonly #deps: SurfaceDeps
  readonly #options: SurfaceOptions
  readonly #reader: ViewReader
  readonly #settled: SettledCall[] = []
  readonly #notices = new NoticeList()
  readonly #underWay = new Set<Promise<SettledCall>>()
  #searches = 0
  #describes = 0
  #calls: number

  constructor(deps: SurfaceDeps, options: SurfaceOptions) {
    this.#deps = deps
    this.#options = options
    this.#reader = createViewReader(deps, options)
    this.#calls = options.callCount ?? 0
    this.view = options.view
    this.caller = options.caller
  }

  search(form: JsonValue): SurfaceAnswer {
    const request = readSearchRequest(form, this.#deps.settings)
    if (request.kind === 'problem') return invalid(request.message)
    this.note(request.notices)
    if (request.kind === 'one') return this.#searchOne(request.search)
    const results: JsonValue[] = []
    for (const search of request.searches) {
      const answer = this.#searchOne(search)
      if (answer.kind === 'error') return answer
      results.push({ query: search.query, ...(isJsonObject(answer.value) ? answer.value : {}) })
    }
    return { kind: 'value', value: { results } }
  }

  describe(ids: JsonValue, options: JsonValue = null): SurfaceAnswer {
    const request = readDescribeRequest(ids, options)
    if (request.kind === 'problem') return invalid(request.message)
    this.#describes += 1
    const answers = request.ids.map((id) => ({ id, answer: this.#reader.describe(id, request.place) }))
    // One id that is wrong does not cost the others; where none is right, that is the answer.
    const [first] = answers
    if (first !== undefined && answers.every(({ answer }) => answer.kind === 'error')) return first.answer
    const described = answers.map(({ id, answer }) => (answer.kind === 'value' ? answer.value : faultOf(id, answer)))
    return { kind: 'value', value: request.isList ? described : (described[0] ?? null) }
  }

  #searchOne(search: ViewSearch): SurfaceAnswer {
    this.#searches += 1
    return this.#reader.search(search)
  }

  call(target: CallTarget, args: JsonValue, signal: AbortSignal): Promise<SettledCall> {
    const { hold } = this.#options
    return this.callHeld({ target, args, ...(hold && { hold }) }, signal)
  }

  callCount(): number {
    return this.#calls
  }

  async callHeld(held: HeldCall, signal: AbortSignal): Promise<SettledCall> {
    const { view, caller, runId, turnId, parentCallId, memory, onProgress, askClient } = this.#options
    const queryFor = (id: string): string | undefined => memory.queryFor(id)
    const shown = (id: string): Tool | undefined => memory.shown(id)
    const within = {
      ...(runId !== undefined && { runId }),
      ...(turnId !== undefined && { turnId }),
      ...(parentCallId !== undefined && { parentCallId }),
      ...(onProgress && { onProgress }),
      ...(askClient && { askClient }),
    }
    const request = { callId: this.#idOf(held.target), ...held, view, caller, queryFor, shown, ...within }
    const calling = this.#deps.dispatch(request, signal)
    this.#underWay.add(calling)
    const settled = await calling.finally(() => this.#underWay.delete(calling))
    this.#settled.push(settled)
    this.note(settled.notices)
    if (this.#deps.learns && settled.outcome.kind === 'ok' && settled.toolId !== undefined) {
      const query = memory.queryFor(settled.toolId)
      if (query !== undefined) this.#deps.index.learn(caller.tenant, { query, toolId: settled.toolId })
    }
    return settled
  }

  /** A call that was parked keeps its id, by which what was decided about it is found. */
  #idOf(target: CallTarget): string {
    if (target.kind === 'frozen') return target.call.callId
    this.#calls += 1
    const { runId } = this.#options
    return runId === undefined ? this.#deps.newId() : `${runId}/${this.#calls}`
  }

  note(notices: readonly Notice[]): void {
    this.#notices.add(notices)
  }

  async drained(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  counts(): { readonly searches: number; readonly describes: number } {
    return { searches: this.#searches, describes: this.#describes }
  }

  settled(): readonly SettledCall[] {
    return this.#settled
  }

  notices(): readonly Notice[] {
    return this.#notices.all()
  }
}

function faultOf(id: JsonValue, { code, message }: Extract<SurfaceAnswer, { kind: 'error' }>): JsonObject {
  return { id: typeof id === 'string' ? id.slice(0, TOOL_ID_MAX_LENGTH) : null, error: { code, message } }
}
