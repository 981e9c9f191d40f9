import { createHash } from 'node:crypto'
import { cutDescription, cutTitle } from './description.ts'
import type { Hit, SearchAnswer } from './hit.ts'
import { isOwner } from './search/ranking/accepts-of.ts'
import type { RankedHit, SearchFilter, SearchIndex } from './search/search-index.ts'
import { PENDING_NAMES_MAX } from './limits.ts'
import type { ServerAbsence } from './server-absence.ts'
import { absenceOf, unavailableIn } from './server-absence.ts'
import type { SourceStatus } from './source.ts'
import type { Tool } from './tool.ts'
import type { View } from './view.ts'

export interface ViewSearch {
  readonly query: string
  readonly limit: number
  /** From the answer before; belongs to one query, filter and revision. */
  readonly cursor?: string
  readonly filter?: SearchFilter
  readonly explain?: boolean
}

export interface SearchViewDeps {
  readonly index: Pick<SearchIndex, 'search'>
  readonly signature: (tool: Tool) => string
  /** The type of what a call gives. */
  readonly output: (tool: Tool) => string | undefined
  /** Whose past calls may lift tools; absent where nothing is learned. */
  readonly tenant?: string
}

/** A page of hits, or the fault of the cursor. */
export type SearchViewResult =
  | { readonly kind: 'answer'; readonly answer: SearchAnswer }
  | { readonly kind: 'bad-cursor'; readonly message: string }

/** Searches the shared index through one caller's view. */
export function searchView(view: View, search: ViewSearch, deps: SearchViewDeps): SearchViewResult {
  const offset = search.cursor === undefined ? 0 : readCursor(view, search)
  if (offset === undefined) {
    const message = `cursor ${JSON.stringify((search.cursor ?? '').slice(0, 64))} does not belong to this query; search again without it`
    return { kind: 'bad-cursor', message }
  }
  const pending = view.pendingSources()
  const ranked = deps.index.search(search.query, {
    limit: search.limit,
    offset,
    accept: view.scope(),
    extra: view.clientTools,
    ...(deps.tenant !== undefined && { tenant: deps.tenant }),
    ...(search.filter && { filter: search.filter }),
    ...(search.explain !== undefined && { explain: search.explain }),
    isIncomplete: pending.some(({ state, toolCount }) => state.kind === 'connecting' || toolCount === 0),
  })
  const context = { view, deps, unavailable: unavailableIn(view) }
  const hits = ranked.hits.flatMap((hit) => hitOf(hit, context))
  const next = offset + ranked.hits.length
  const owners = new Set(hits.map(({ source, owner }) => `${source}:${owner}`))
  const concerned = pending.filter((status) => mayConcern(status, search, owners))
  const notes = [...ranked.notes, ...pendingNotes(concerned)]
  const hasMore = ranked.hits.length > 0 && next < ranked.total
  return { kind: 'answer', answer: { hits, notes, ...(hasMore && { cursor: makeCursor(view, search, next) }) } }
}

interface HitContext {
  readonly view: View
  readonly deps: SearchViewDeps
  readonly unavailable: (tool: Tool) => ServerAbsence | undefined
}

function hitOf(ranked: RankedHit, { view, deps, ...context }: HitContext): readonly Hit[] {
  const resolution = view.resolve(ranked.id)
  if (resolution.kind !== 'found') return []
  const { tool } = resolution
  const output = deps.output(tool)
  const hasAnnotations = Object.keys(tool.annotations).length > 0
  const unavailable = context.unavailable(tool)
  const hit: Hit = {
    id: tool.id,
    name: tool.name,
    ...(tool.title !== undefined && { title: cutTitle(tool.title) }),
    description: cutDescription(tool.description),
    source: tool.source,
    owner: tool.owner,
    signature: deps.signature(tool),
    ...(output !== undefined && { output }),
    ...(hasAnnotations && { annotations: tool.annotations }),
    ...(unavailable !== undefined && { unavailable }),
    score: Math.round(ranked.score * 1000) / 1000,
    ...(ranked.weak && { weak: true }),
    ...(ranked.why && { why: ranked.why }),
  }
  return [hit]
}

/**
 * Whether the query could be about this server: not where a filter leaves it out, and where it is down but its tools
 * are known, only if one of them is among the hits.
 */
function mayConcern(
  { source, owner, state, toolCount }: SourceStatus,
  { filter }: ViewSearch,
  found: ReadonlySet<string>,
): boolean {
  if (filter?.source !== undefined && filter.source !== source) return false
  if (filter?.owner !== undefined && !isOwner(owner, filter.owner)) return false
  return state.kind !== 'down' || toolCount === 0 || found.has(`${source}:${owner}`)
}

/** So that a model does not conclude that a tool does not exist while its server is on the way. */
function pendingNotes(pending: readonly SourceStatus[]): readonly string[] {
  return Object.entries(CONSEQUENCES).flatMap(([absence, consequence]) => {
    const owners = pending.filter((status) => absenceOf(status) === absence).map((status) => status.owner)
    if (owners.length === 0) return []
    const more = owners.length - PENDING_NAMES_MAX
    const named = owners.slice(0, PENDING_NAMES_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
    return [`${consequence}; ${owners.length === 1 ? '1 server' : `${owners.length} servers`} ${absence}: ${named}`]
  })
}

/** What an absence means for who searches. */
const CONSEQUENCES: Readonly<Record<ServerAbsence, string>> = {
  'still connecting': 'tools may be missing here',
  down: 'some tools cannot be called now',
  'waiting for a login': 'an operator has to log in before some tools can be called',
}

function makeCursor(view: View, search: ViewSearch, offset: number): string {
  return `${offset.toString(36)}.${cursorMark(view, search)}`
}

function readCursor(view: View, search: ViewSearch): number | undefined {
  const [offset = '', mark = ''] = (search.cursor ?? '').split('.', 2)
  if (mark !== cursorMark(view, search) || !/^[0-9a-z]{1,6}$/.test(offset)) return undefined
  return Number.parseInt(offset, 36)
}

function cursorMark(view: View, { query, filter }: ViewSearch): string {
  const text = JSON.stringify([view.revision, query, filter?.source, filter?.owner, filter?.readOnly])
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}
