import type { SourceKind } from './tool-id.ts'
import type { ToolDefinition } from './tool.ts'

export type SourceState =
  | { readonly kind: 'connecting'; readonly sinceMs: number }
  | { readonly kind: 'ready'; readonly sinceMs: number }
  | {
      readonly kind: 'down'
      readonly sinceMs: number
      readonly reason: string
      /** What has to be done before it can come back by itself: a person logs in, or it is given other credentials than it refused. */
      readonly needs?: 'login' | 'credentials'
    }

/** One owner of tools (a plugin, an MCP server, a client) and how it stands; times are Unix milliseconds. */
export interface SourceStatus {
  readonly source: SourceKind
  readonly owner: string
  readonly state: SourceState
  readonly toolCount: number
}

/** Where a source puts what it finds; the catalog implements it. */
export interface SourceSink {
  /**
   * Replaces all tools of this owner; the catalog works out what changed. Bad tools are quarantined alone. A long list of
   * an MCP server is taken between other work and as a whole: until then the tools before it stand, but for those
   * that it withholds, and a list that is given meanwhile takes its place.
   */
  setTools(source: SourceKind, owner: string, tools: readonly ToolDefinition[]): void
  /** Resolves when the list that was given last stands. */
  taken(source: SourceKind, owner: string): Promise<void>
  setState(source: SourceKind, owner: string, state: SourceState): void
  /** Forgets the owner, its tools and its state. */
  removeOwner(source: SourceKind, owner: string): void
}

/** A place that tools come from. `start` returns at once: slow owners report by `setState` when they are ready. */
export interface Source {
  start(sink: SourceSink): void
  close(): Promise<void>
}
