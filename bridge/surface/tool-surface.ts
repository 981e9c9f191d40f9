import type { Caller } from '../../catalog/caller.ts'
import { describeTool } from '../../catalog/description.ts'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { DESCRIPTION_MAX_BYTES, TOOL_ID_MAX_LENGTH } from '../../catalog/limits.ts'
import type { SchemaPlace } from '../../catalog/schema-part.ts'
import { readSchemaPart } from '../../catalog/schema-part.ts'
import type { ViewSearch } from '../../catalog/search-view.ts'
import { searchView } from '../../catalog/search-view.ts'
import type { SearchIndex } from '../../catalog/search/search-index.ts'
import { unavailableIn } from '../../catalog/server-absence.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { Resolution, View } from '../../catalog/view.ts'
import type { ApprovalNeed } from '../../policy/rules/approval-need.ts'
import type { CallHold } from '../approving/call-hold.ts'
import type { AskClient } from '../asking/ask-client.ts'
import { readDescribeRequest } from './describe-request.ts'
import type { DescribedApproval } from './described-approval.ts'
import { describedApproval } from './described-approval.ts'
import type { CallTarget, Dispatch } from '../dispatcher.ts'
import type { OnProgress } from '../dispatching/call-request.ts'
import { NoticeList } from './notice-list.ts'
import type { Notice, SettledCall } from '../outcome.ts'
import type { QueryMemory } from './query-memory.ts'
import { ambiguousTool, unknownTool } from '../refusals.ts'
import type { SearchSettings } from './search-request.ts'
import { readSearchRequest } from './search-request.ts'

export interface SurfaceDeps {
  readonly index: Pick<SearchIndex, 'search' | 'learn'>
  readonly dispatch: Dispatch
  /** TypeScript of a tool's call, in a hit. */
  readonly hitSignature: (tool: Tool) => string
  /** TypeScript of what a call gives, in a hit. */
  readonly hitOutput: (tool: Tool) => string | undefined
  /** The same, whole, in a description; within so many UTF-16 units where they are given. */
  readonly fullSignature: (tool: Tool, maxChars?: number) => string
  readonly newId: () => string
  /** Whether calls of a tool wait for an approval. */
  readonly approvalNeed: (tool: Tool, caller: Caller) => ApprovalNeed
  readonly settings: SearchSettings
  /** Whether calls that went well lift their tools in later searches of the same tenant. */
  readonly learns: boolean
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

export type SurfaceAnswer =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'error'; readonly code: string; readonly message: string; readonly details?: JsonValue }

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
  readonly #settled: SettledCall[] = []
  readonly #notices = new NoticeList()
  readonly #underWay = new Set<Promise<SettledCall>>()
  #searches = 0
  #describes = 0
  #calls: number

  constructor(deps: SurfaceDeps, options: SurfaceOptions) {
    this.#deps = deps
    this.#options = options
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
    const answers = request.ids.map((id) => ({ id, answer: this.#describeOne(id, request.place) }))
    // One id that is wrong does not cost the others; where none is right, that is the answer.
    const [first] = answers
    if (first !== undefined && answers.every(({ answer }) => answer.kind === 'error')) return first.answer
    const described = answers.map(({ id, answer }) => (answer.kind === 'value' ? answer.value : faultOf(id, answer)))
    return { kind: 'value', value: request.isList ? described : (described[0] ?? null) }
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

  #searchOne(search: ViewSearch): SurfaceAnswer {
    this.#searches += 1
    const { index, hitSignature, hitOutput, learns } = this.#deps
    const tenant = learns ? { tenant: this.caller.tenant } : {}
    const result = searchView(this.view, search, {
      index,
      signature: hitSignature,
      output: hitOutput,
      ...tenant,
    })
    if (result.kind === 'bad-cursor') return invalid(result.message)
    const { hits, notes, cursor } = result.answer
    this.#options.memory.remember(
      search.query,
      hits.map((hit) => hit.id),
    )
    const shown = hits.map((hit) => {
      const resolution = this.view.resolve(hit.id)
      this.#show(resolution)
      const approval = resolution.kind === 'found' ? this.#approvalOf(resolution.tool) : undefined
      // Only that a call has to wait; describe says why.
      return { ...hit, ...(approval && { approval: approval.needed }) }
    })
    return { kind: 'value', value: { hits: shown, notes, ...(cursor !== undefined && { cursor }) } }
  }

  #describeOne(id: JsonValue, place: SchemaPlace | undefined): SurfaceAnswer {
    if (typeof id !== 'string') return invalid('describe wants the exact id of a search hit, as text')
    const resolution = this.view.resolve(id)
    this.#show(resolution)
    if (resolution.kind === 'found' && place !== undefined) {
      const result = readSchemaPart(resolution.tool, place, DESCRIPTION_MAX_BYTES)
      return result.kind === 'part' ? { kind: 'value', value: result.part } : invalid(result.message)
    }
    if (resolution.kind === 'found') {
      const description = describeTool(resolution.tool, { signature: this.#deps.fullSignature })
      const approval = this.#approvalOf(resolution.tool)
      const unavailable = unavailableIn(this.view)(resolution.tool)
      const value = { ...description, ...(unavailable && { unavailable }), ...(approval && { approval }) }
      return { kind: 'value', value }
    }
    const shown = id.slice(0, 256)
    const outcome =
      resolution.kind === 'ambiguous'
        ? ambiguousTool(shown, resolution.ids)
        : unknownTool(shown, resolution.suggestions)
    return outcome.kind === 'ok' ? invalid(shown) : { kind: 'error', code: outcome.kind, message: outcome.message }
  }

  /** Arguments are written by what was shown last. */
  #show(resolution: Resolution): void {
    if (resolution.kind === 'found') this.#options.memory.show(resolution.tool)
  }

  /** Said before the call, so that a model can plan for the wait. */
  #approvalOf(tool: Tool): DescribedApproval | undefined {
    return describedApproval(this.#deps.approvalNeed(tool, this.caller))
  }
}

function faultOf(id: JsonValue, { code, message }: Extract<SurfaceAnswer, { kind: 'error' }>): JsonObject {
  return { id: typeof id === 'string' ? id.slice(0, TOOL_ID_MAX_LENGTH) : null, error: { code, message } }
}

function invalid(message: string): SurfaceAnswer {
  return { kind: 'error', code: 'invalid-input', message }
}
