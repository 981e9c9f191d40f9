import type { SourceKind, Tool } from '../tool.ts'

export interface SearchFilter {
  readonly source?: SourceKind
  readonly owner?: string
  readonly readOnly?: boolean
}

/** A past query of the same tenant and the tool that was then called with outcome `ok`. */
export interface LearnedPair {
  readonly query: string
  readonly toolId: string
}

export interface SearchOptions {
  /** Hits wanted, at least 1. */
  readonly limit: number
  readonly offset?: number
  /** The caller's view: an id that it refuses is neither found nor counted. */
  readonly accept: (id: string) => boolean
  /** Tools outside the index (those of the client for this request), scored with the index's statistics. */
  readonly extra?: readonly Tool[]
  readonly filter?: SearchFilter
  readonly explain?: boolean
  /** Tenant whose learned pairs may lift tools. */
  readonly tenant?: string
}

export interface RankedHit {
  readonly id: string
  /** 0 to 1, comparable within one answer only. */
  readonly score: number
  /** The best that was found, but probably not what was asked for. */
  readonly weak: boolean
  readonly why?: readonly { readonly field: string; readonly term: string; readonly score: number }[]
}

export interface RankedAnswer {
  readonly hits: readonly RankedHit[]
  /** Matches in the view, before limit and offset. */
  readonly total: number
  /** For the model: that nothing matches and what the view holds instead, that a query was cut, and so on. */
  readonly notes: readonly string[]
}

/** One shared index for the process; a view is the `accept` filter over it. */
export interface SearchIndex {
  /** Adds or replaces by id. */
  put(tool: Tool): void
  remove(id: string): void
  search(query: string, options: SearchOptions): RankedAnswer
  /** Up to `limit` accepted ids that a mistyped tool id or name may have meant, best first. */
  suggest(
    selector: string,
    options: { readonly limit: number; readonly accept: (id: string) => boolean },
  ): readonly string[]
  /** Remembers that a query led to a tool; bounded, per tenant. */
  learn(tenant: string, pair: LearnedPair): void
}
