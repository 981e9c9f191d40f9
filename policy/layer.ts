import type { ToolAnnotations } from '../catalog/tool.ts'

/** Keys and positions from the root of the configuration to what is meant. */
export type PolicyPath = readonly (string | number)[]

/** The scopes in the order in which they are asked. */
export type LayerKind =
  | 'profile'
  | 'provider-profile'
  | 'global'
  | 'provider'
  | 'agent'
  | 'agent-provider'
  | 'channel'
  | 'sender'
  | 'sandbox'
  | 'child-agent'
  | 'session'

/** A list of entries as it is written, and where. An entry's own path is that of the list with its position. */
export interface EntryList {
  readonly path: PolicyPath
  /** Tool ids or names, with `*`, or `group:<name>`; in any case. */
  readonly entries: readonly string[]
}

/** One allow/deny scope. Layers only narrow: a tool must pass every one of them. */
export interface PolicyLayer {
  readonly kind: LayerKind
  /** The scope's place, e.g. `tools` or `agents.support.tools`. */
  readonly path: PolicyPath
  /** Absent or without entries: everything; otherwise nothing but what an entry names. */
  readonly allow?: EntryList
  /** What a tool must say of itself. */
  readonly annotations?: ToolAnnotations
  /** Passes what `allow` and `annotations` keep out. */
  readonly alsoAllow?: EntryList
  /** Wins over all of them. */
  readonly deny?: EntryList
  /** It holds by what a client says of itself and its token does not vouch for; the layer for all others holds too. */
  readonly isClaimed?: true
  /** Made of what a caller sent: every request has another object, and there may be any number of them. */
  readonly isSent?: true
  /** The name of the profile that the layer stands for. */
  readonly profile?: string
}
