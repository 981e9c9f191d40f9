import type { ToolAnnotations } from '../catalog/tool.ts'

/** The part of the configuration that policy reads. */
export interface PolicySettings {
  readonly tools: ToolScope & {
    readonly profiles: Readonly<Record<string, Profile>>
    readonly groups: Readonly<Record<string, readonly string[]>>
    /** By `provider` or `provider/model`. */
    readonly byProvider: Readonly<Record<string, ToolScope>>
    readonly byChannel: Readonly<Record<string, ListScope>>
    /** By `channel:<id>:<sender>`, `id:<sender>`, `username:<name>` or `*`. */
    readonly toolsBySender: Readonly<Record<string, ListScope>>
    readonly sandbox: ListScope
    readonly childAgents: ListScope
    readonly mainAgentOnly: readonly string[]
    readonly rules: readonly PolicyRule[]
    readonly approvals: ApprovalDefault
  }
  readonly agents: Readonly<Record<string, { readonly tools: AgentScope }>>
}

export interface ListScope {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

export interface ToolScope extends ListScope {
  readonly profile?: string
  /** Adds to the profile of the same scope. */
  readonly alsoAllow: readonly string[]
}

export interface AgentScope extends ToolScope {
  readonly byProvider: Readonly<Record<string, ToolScope>>
}

export interface Profile extends ListScope {
  readonly annotations?: ToolAnnotations
}

/** One rule on the calls of some tools; the strictest rule that applies decides: deny, then ask, then allow. */
export interface PolicyRule {
  /** Like an entry of a list; absent: every tool. */
  readonly tool?: string
  /** JSON Schema of the arguments that the rule is about; absent: all. */
  readonly when?: object
  /** What the tool says of itself. */
  readonly annotations?: ToolAnnotations
  /** `allow` answers what `approvals` would ask; it takes back neither a deny nor an ask of another rule. */
  readonly effect: 'allow' | 'ask' | 'deny'
  readonly reason?: string
}

/** Which calls are asked for where no rule says anything. */
export type ApprovalDefault = 'off' | 'destructive' | 'writes' | 'all'
