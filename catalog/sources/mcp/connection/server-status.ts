import type { SourceState } from '../../../source.ts'
import { publicUrl } from '../journal/secret-filter.ts'
import type { ServerJournal } from '../journal/server-journal.ts'
import type { McpServerConfig } from '../server-config.ts'
import { isStdioServer } from '../server-config.ts'
import type { ToolList } from '../tools/list-tools.ts'
import type { TransportKind } from './session/open-client.ts'

/** How one server stands, for `/readyz`, `doctor` and the catalog page. */
export interface McpServerStatus {
  readonly server: string
  /** The command, or the URL without its secrets. */
  readonly address: string
  readonly state: SourceState
  readonly transport?: TransportKind
  readonly protocolVersion?: string
  readonly serverInfo?: { readonly name: string; readonly version: string }
  /** Last known tools; they stay while the server is down. */
  readonly toolCount: number
  /** Tools meant for a host's user interface alone. */
  readonly hiddenToolCount: number
  /** What was left out of the list and why; the first of them. */
  readonly problems: readonly string[]
  readonly problemCount: number
  readonly lastError?: string
}

export interface StandingServer extends Pick<McpServerStatus, 'server' | 'state'> {
  readonly config: McpServerConfig
  readonly journal: Pick<ServerJournal, 'clean'>
  /** Absent while there is none. */
  readonly session:
    | {
        readonly transportKind: TransportKind
        readonly protocolVersion: string | undefined
        readonly serverInfo: McpServerStatus['serverInfo'] | undefined
      }
    | undefined
  readonly tools: ToolList
  readonly lastError: string | undefined
}

export function serverStatus({
  server,
  config,
  state,
  session,
  tools,
  journal,
  lastError,
}: StandingServer): McpServerStatus {
  const { protocolVersion, serverInfo } = session ?? {}
  return {
    server,
    address: isStdioServer(config) ? config.command : publicUrl(config.url),
    state,
    ...(session === undefined ? {} : { transport: session.transportKind }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    ...(serverInfo === undefined ? {} : { serverInfo }),
    toolCount: tools.definitions.length,
    hiddenToolCount: tools.hiddenCount,
    problems: tools.problems.map(journal.clean),
    problemCount: tools.problemCount,
    ...(lastError === undefined ? {} : { lastError }),
  }
}
