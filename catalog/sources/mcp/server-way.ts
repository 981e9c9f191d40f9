import type { FetchLike } from '@modelcontextprotocol/client'
import type { ServerJournal } from './journal/server-journal.ts'
import type { McpTiming } from './limits.ts'
import type { McpServerConfig } from './server-config.ts'
import type { OrphanReaper } from './transport/stdio/orphan-reaper.ts'

/** What another way to a connected server needs, with the same guards, login and journal. */
export interface ServerWay {
  readonly config: McpServerConfig
  readonly maxMessageBytes: number
  readonly forbiddenAddresses: readonly string[]
  readonly timing: McpTiming
  readonly reaper: OrphanReaper
  readonly journal: ServerJournal
  /** Adds the token of a login to each request. */
  readonly authorize?: ((fetch: FetchLike) => FetchLike) | undefined
}
