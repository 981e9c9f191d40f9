import type { SourceState } from '../../../source.ts'
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
