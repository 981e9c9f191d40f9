import type { SourceKind } from '../tool-id.ts'
import type { Tool } from '../tool.ts'

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

/**
 * A view's verdicts by internal number, made once by `SearchIndex.scope` and good for as long as the view is: a tool
 * that came in later is outside, one that was replaced under its id stays. At 50,000 tools a search in a scope takes a
 * fraction of one with a function, which is asked once for every tool that holds a word of the query.
 */
export interface SearchScope {
  readonly accepted: Uint8Array
  readonly revision: number
}

/** The caller's view: an id that it refuses is neither found, suggested, counted nor named. */
export type Accept = ((id: string) => boolean) | SearchScope

export interface SearchOptions {
  /** Hits wanted, at least 1. */
  readonly limit: number
  readonly offset?: number
  readonly accept: Accept
  /** Tools outside the index (those of the client for this request), scored with the index's statistics. */
  readonly extra?: readonly Tool[]
  readonly filter?: SearchFilter
  readonly explain?: boolean
  /** Whether tools may be missing that are not known yet: then finding nothing proves nothing. */
  readonly isIncomplete?: boolean
  /** Tenant whose learned pairs may lift tools. */
  readonly tenant?: string
}

/** One reason for a hit. `field` is a field of the tool, `id or name`, or `past use`. */
export interface HitReason {
  readonly field: string
  readonly term: string
  readonly score: number
}

export interface RankedHit {
  readonly id: string
  /** 0 to 1, comparable within one answer only. */
  readonly score: number
  /** The best that was found, but probably not what was asked for. */
  readonly weak: boolean
  readonly why?: readonly HitReason[]
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
  /** The verdicts of a view on the tools that are here now. */
  scope(accept: (id: string) => boolean): SearchScope
  search(query: string, options: SearchOptions): RankedAnswer
  /** Up to `limit` accepted ids that a mistyped tool id or name may have meant, best first. */
  suggest(selector: string, options: { readonly limit: number; readonly accept: Accept }): readonly string[]
  /** Remembers that a query led to a tool; bounded, per tenant. */
  learn(tenant: string, pair: LearnedPair): void
}
