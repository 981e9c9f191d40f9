import type { Mode } from '../../bridge/presentation/presentation.ts'
import type { Sandbox } from './start-sandbox.ts'

/** The presentation that models get, and why it is not the configured one. */
export interface ModeInForce {
  readonly configured: Mode
  readonly inForce: Mode
  readonly reason?: string
}

/** `code` needs workers; without them models get `tools`, which asks for nothing that is not there. */
export function modeInForce(configured: Mode, sandbox: Pick<Sandbox, 'host' | 'reason'>): ModeInForce {
  if (configured !== 'code' || sandbox.host !== undefined) return { configured, inForce: configured }
  return { configured, inForce: 'tools', reason: `no worker can run programs: ${sandbox.reason ?? 'unknown'}` }
}
