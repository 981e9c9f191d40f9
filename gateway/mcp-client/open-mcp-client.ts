import type { LoginVault } from '../../catalog/sources/mcp/login/server-login.ts'
import type { DurablePins } from '../mcp-trust/durable-pins.ts'
import { openDurablePins } from '../mcp-trust/durable-pins.ts'
import type { Seal } from '../state/seal.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { Store } from '../store/store.ts'
import type { DurableMemory } from './durable-memory.ts'
import { openDurableMemory } from './durable-memory.ts'
import { createLoginVault } from './login-vault.ts'
import type { ServerLogs } from './server-logs.ts'
import { createServerLogs } from './server-logs.ts'

/** What outlives a restart on the side where we are a client. */
export interface McpClientState {
  readonly memory: DurableMemory
  readonly logins: LoginVault
  readonly logs: ServerLogs
  readonly pins: DurablePins
  /** Safe to call twice. */
  close(): Promise<void>
}

export async function openMcpClient(deps: {
  readonly state: StateDirectory
  readonly seal: Seal
  readonly store: Pick<Store, 'mcpServers' | 'mcpPins'>
  readonly redact: <Value>(value: Value) => Value
  readonly redactText: (text: string) => string
  readonly warn: (message: string) => void
  readonly now: () => number
}): Promise<McpClientState> {
  const { state, seal, store, redact, redactText, warn, now } = deps
  const memory = await openDurableMemory({ store: store.mcpServers, redact, warn })
  const pins = await openDurablePins({ store: store.mcpPins, redact, warn })
  const logs = createServerLogs({ folder: state.file('logs'), redact: redactText, warn, now })
  return {
    memory,
    logins: createLoginVault(state.path, seal),
    logs,
    pins,
    async close() {
      await memory.close()
      await pins.close()
      await logs.close()
    },
  }
}
