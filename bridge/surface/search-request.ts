import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { SearchFilter } from '../../catalog/search/search-index.ts'
import type { ViewSearch } from '../../catalog/search-view.ts'
import { SEARCH_QUERIES_MAX, SEARCH_QUERY_MAX_LENGTH } from '../limits.ts'
import type { Notice } from '../outcome.ts'

export interface SearchSettings {
  /** Hits without a limit in the request. */
  readonly defaultLimit: number
  /** A request for more is clamped and noticed. */
  readonly maxLimit: number
}

/** What a program, a model or an HTTP client asked for, read from hostile JSON. */
export type SearchRequest =
  | { readonly kind: 'one'; readonly search: ViewSearch; readonly notices: readonly Notice[] }
  | { readonly kind: 'many'; readonly searches: readonly ViewSearch[]; readonly notices: readonly Notice[] }
  | { readonly kind: 'problem'; readonly message: string }

/**
 * Reads `{ query | queries, limit?, cursor?, filter?, explain? }`. Numbers may come as text. Without a limit of its own
 * each of several queries gets an even share of the default, at least one hit.
 */
export function readSearchRequest(asked: JsonValue, settings: SearchSettings): SearchRequest {
  if (!isJsonObject(asked))
    return { kind: 'problem', message: `a search wants an object with "query", got ${nameOf(asked)}` }
  const form = withQuery(asked)
  const notices: Notice[] = unknownOptions(form)
  const filter = readFilter(withLooseFilter(form, notices), notices)
  if (typeof filter === 'string') return { kind: 'problem', message: filter }
  const extras = { ...(filter && { filter }), ...(form['explain'] === true && { explain: true }) }
  if (form['queries'] !== undefined && form['queries'] !== null) {
    return readMany(form, { settings, notices, extras })
  }
  const query = readQuery(form['query'], notices)
  if (query.kind === 'problem') return query
  const limit = readLimit(form['limit'], settings, notices)
  if (typeof limit === 'string') return { kind: 'problem', message: limit }
  const { cursor } = form
  if (cursor !== undefined && cursor !== null && typeof cursor !== 'string') {
    return { kind: 'problem', message: `"cursor" wants the text of the answer before, got ${nameOf(cursor)}` }
  }
  const search = { query: query.text, limit, ...(typeof cursor === 'string' && { cursor }), ...extras }
  return { kind: 'one', search, notices }
}

const QUERY_ALIASES = ['q', 'text', 'search', 'keywords'] as const

/** `{ q }`, a list as the query and a text as the queries are what they look like. */
function withQuery(form: JsonObject): JsonObject {
  const { query, queries, ...rest } = form
  if (Array.isArray(query) && queries === undefined) return { ...rest, queries: query }
  if (typeof queries === 'string' && query === undefined) return { ...rest, query: queries }
  const alias = QUERY_ALIASES.find((name) => typeof form[name] === 'string')
  if (alias === undefined || query !== undefined || queries !== undefined) return form
  const { [alias]: text, ...others } = rest
  return { ...others, query: text ?? null }
}

const FILTERS = ['source', 'owner', 'readOnly'] as const

/** `{ query, owner }`: what belongs into the filter and stands beside it is meant so. */
function withLooseFilter(form: JsonObject, notices: Notice[]): JsonValue | undefined {
  const { filter } = form
  const loose = FILTERS.filter((name) => form[name] !== undefined && form[name] !== null)
  if (loose.length === 0 || (filter !== undefined && filter !== null && !isJsonObject(filter))) return filter
  notices.push({
    code: 'option-moved',
    message: `${loose.map((name) => JSON.stringify(name)).join(', ')} went into the filter: { filter: { … } }`,
  })
  return { ...Object.fromEntries(loose.map((name) => [name, form[name] ?? null])), ...(isJsonObject(filter) && filter) }
}

const OPTIONS: readonly string[] = ['query', 'queries', 'limit', 'cursor', 'filter', 'explain']
const SHOWN_OPTIONS = 4

/** `top_k`, `category`: without a word a model would take the answer for what it asked. */
function unknownOptions(form: JsonObject): Notice[] {
  const unknown = Object.keys(form).filter((key) => !OPTIONS.includes(key) && !FILTERS.some((name) => name === key))
  if (unknown.length === 0) return []
  const message = `search has no ${quoted(unknown)}, which changed nothing; there are ${OPTIONS.join(', ')}`
  return [{ code: 'option-ignored', message }]
}

interface Reading {
  readonly settings: SearchSettings
  readonly notices: Notice[]
  readonly extras: Pick<ViewSearch, 'filter' | 'explain'>
}

function readMany(form: JsonObject, { settings, notices, extras }: Reading): SearchRequest {
  const { queries } = form
  if (!Array.isArray(queries) || queries.length === 0) {
    return {
      kind: 'problem',
      message: `"queries" wants a list of 1 to ${SEARCH_QUERIES_MAX} queries, got ${nameOf(queries)}`,
    }
  }
  if (queries.length > SEARCH_QUERIES_MAX) {
    return {
      kind: 'problem',
      message: `"queries" has ${queries.length} entries, more than ${SEARCH_QUERIES_MAX}; ask in several calls`,
    }
  }
  const shared = form['limit'] ?? Math.max(1, Math.floor((2 * settings.defaultLimit) / queries.length))
  const searches: ViewSearch[] = []
  for (const entry of queries) {
    const own: JsonObject = isJsonObject(entry) ? entry : { query: entry ?? null }
    const unknown = Object.keys(own).filter((key) => key !== 'query' && key !== 'limit')
    if (unknown.length > 0) {
      const message = `of "queries" each has query and limit alone, and ${quoted(unknown)} changed nothing; a filter stands beside "queries"`
      notices.push({ code: 'option-ignored', message })
    }
    const query = readQuery(own['query'], notices)
    if (query.kind === 'problem') return query
    const limit = readLimit(own['limit'] ?? shared, settings, notices)
    if (typeof limit === 'string') return { kind: 'problem', message: limit }
    searches.push({ query: query.text, limit, ...extras })
  }
  return { kind: 'many', searches, notices }
}

function readQuery(
  value: JsonValue | undefined,
  notices: Notice[],
): { readonly kind: 'query'; readonly text: string } | { readonly kind: 'problem'; readonly message: string } {
  if (typeof value !== 'string') {
    return { kind: 'problem', message: `"query" wants a text that says what you need, got ${nameOf(value)}` }
  }
  if (value.length <= SEARCH_QUERY_MAX_LENGTH) return { kind: 'query', text: value }
  notices.push({
    code: 'query-cut',
    message: `the query has ${value.length} characters; the first ${SEARCH_QUERY_MAX_LENGTH} were used`,
  })
  return { kind: 'query', text: value.slice(0, SEARCH_QUERY_MAX_LENGTH) }
}

/** The limit, or the fault in words. */
function readLimit(value: JsonValue | undefined, settings: SearchSettings, notices: Notice[]): number | string {
  if (value === undefined || value === null) return settings.defaultLimit
  const limit = typeof value === 'string' && /^\d{1,6}$/.test(value.trim()) ? Number(value) : value
  if (typeof limit !== 'number' || !Number.isFinite(limit) || limit < 1) {
    return `"limit" wants a number from 1 to ${settings.maxLimit}, got ${nameOf(value)}`
  }
  if (limit <= settings.maxLimit) return Math.floor(limit)
  notices.push({
    code: 'limit-clamped',
    message: `limit ${limit} is more than the maximum; ${settings.maxLimit} was used`,
  })
  return settings.maxLimit
}

/** The filter, undefined where there is none, or the fault in words. `null` is as good as nothing: many models fill in all. */
function readFilter(value: JsonValue | undefined, notices: Notice[]): SearchFilter | string | undefined {
  if (value === undefined || value === null) return undefined
  if (!isJsonObject(value)) return `"filter" wants { source?, owner?, readOnly? }, got ${nameOf(value)}`
  const { source, owner, readOnly } = knownFilters(value, notices)
  if (source !== undefined && source !== 'plugin' && source !== 'mcp' && source !== 'client') {
    return `filter "source" is one of "plugin", "mcp", "client", got ${nameOf(source)}`
  }
  if (owner !== undefined && typeof owner !== 'string') return `filter "owner" wants a text, got ${nameOf(owner)}`
  if (readOnly !== undefined && typeof readOnly !== 'boolean') {
    return `filter "readOnly" wants true or false, got ${nameOf(readOnly)}`
  }
  return {
    ...(source !== undefined && { source }),
    ...(owner !== undefined && { owner }),
    ...(readOnly !== undefined && { readOnly }),
  }
}

/** `readonly` and `read_only` are `readOnly`; of what is no filter it is said that it narrowed nothing. */
function knownFilters(value: JsonObject, notices: Notice[]): JsonObject {
  const given = Object.entries(value).filter(([, each]) => each !== null)
  const known = given.map(([key, each]) => [FILTERS.find((name) => plain(name) === plain(key)) ?? key, each] as const)
  const unknown = known.map(([key]) => key).filter((key) => !FILTERS.some((name) => name === key))
  if (unknown.length > 0) {
    const message = `the filter has no ${quoted(unknown)}, which narrowed nothing; there are ${FILTERS.join(', ')}`
    notices.push({ code: 'option-ignored', message })
  }
  return Object.fromEntries(known)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

function quoted(keys: readonly string[]): string {
  return keys
    .slice(0, SHOWN_OPTIONS)
    .map((key) => JSON.stringify(key.slice(0, 40)))
    .join(', ')
}

/** A hostile value named in few characters. */
function nameOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  return JSON.stringify(value).slice(0, 40)
}
