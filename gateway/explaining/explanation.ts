import type { ApprovalNeed } from '../../policy/rules/approval-need.ts'
import type { ConfigPlace } from './config-places.ts'

/** How a tool stands for a caller. */
export type ToolState =
  /** Can be called by its id over HTTP, but no model is shown or finds it. */
  | 'callable'
  /** Found by search only. */
  | 'deferred'
  /** Shown to the model as it is. */
  | 'direct'
  /** Allowed, but rules leave no call of it. */
  | 'hidden'
  | 'denied'
  /** Every call waits for somebody's decision. */
  | 'awaiting-approval'
  | 'quarantined'
  | 'unavailable'
  /** Another tool of the same id was there first. */
  | 'shadowed'
  /** Its plugin offers it only where an allow list names it. */
  | 'optional-not-allowed'
  | 'absent'

/** A tool's state with its reason, for operators. */
export interface ToolStanding {
  readonly id: string
  readonly state: ToolState
  /** One sentence, all of what follows in words. */
  readonly reason: string
  readonly decidedBy?: DecidedBy
  /** Where `state` is `quarantined`: which schema, and which keyword at which place of it. */
  readonly quarantine?: { readonly schema?: 'input' | 'output'; readonly keyword?: string; readonly path?: string }
  /** Where `state` is `unavailable`; times are ISO 8601. */
  readonly source?: { readonly state: string; readonly since: string; readonly lastError?: string }
  /** Where some call of it waits for an approval. */
  readonly approval?: ApprovalNeed
  /** Where `state` is `absent`: ids that may be meant. */
  readonly nearest?: readonly string[]
}

/** What in the configuration decided. */
export interface DecidedBy extends ConfigPlace {
  /** Kind of the layer, or `rules`. */
  readonly layer: string
  /** The entry as it is written, `allow` where none names the tool, or the rule's place. */
  readonly entry: string
}
