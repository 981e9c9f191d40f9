// Types, not interfaces, so that the compiler sees them as JSON.
import type { SourceKind } from './tool-id.ts'
import type { ToolAnnotations } from './tool.ts'

/** One search result as a model or client sees it. */
export type Hit = {
  readonly id: string
  readonly name: string
  readonly title?: string
  /** Bounded; cut on a character boundary with an ellipsis. */
  readonly description: string
  readonly source: SourceKind
  readonly owner: string
  /** TypeScript of the call: `(args: { title: string; labels?: string[] }) => Promise<unknown>`. */
  readonly signature: string
  /** TypeScript of what a call gives, where the tool declares it; the signature then names it or holds it too. */
  readonly output?: string
  readonly annotations?: ToolAnnotations
  /** Why it cannot be called at this moment: its server is not there. */
  readonly unavailable?: string
  readonly score: number
  readonly weak?: true
  readonly why?: readonly { readonly field: string; readonly term: string; readonly score: number }[]
}

export type SearchAnswer = {
  readonly hits: readonly Hit[]
  /** Give it back as `cursor` for the next page; absent on the last one. */
  readonly cursor?: string
  readonly notes: readonly string[]
}
