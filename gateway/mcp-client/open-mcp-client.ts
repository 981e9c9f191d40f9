import type { LoginVault } from '../../catalog/sources/mcp/login/server-login.ts'
import { openSeal } from '../state/seal.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { Store } from '../store/store.ts'
import type { DurableMemory } from './durable-memory.ts'
import { openDurableMemory } from './durable-memory.ts'
import { createLoginVault } from './login-vault.ts'

/** What outlives a restart on the side where we are a client. */
export interface McpClientState {
  readonly memory: DurableMemory
  readonly logins: LoginVault
}

export async function openMcpClient(deps: {
  readonly state: StateDirectory
  readonly store: Pick<Store, 'mcpServers'>
  readonly redact: <Value>(value: Value) => Value
  readonly warn: (message: string) => void
}): Promise<McpClientState> {
  const { state, store, redact, warn } = deps
  const seal = await openSeal(state.file('seal.key'))
  const memory = await openDurableMemory({ store: store.mcpServers, redact, warn })
  return { memory, logins: createLoginVault(state.path, seal) }
}
