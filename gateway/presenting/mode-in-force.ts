import type { Mode } from '../../bridge/presentation/presentation.ts'

/** The presentation that models get, and why it is not the configured one. */
export interface ModeInForce {
  readonly configured: Mode
  readonly inForce: Mode
  readonly reason?: string
}

/** What runs programs; without a host, why nothing does. */
export interface ProgramWorkers {
  readonly host: object | undefined
  readonly reason: string | undefined
}

/** `code` needs workers; without them models get `tools`, which asks for nothing that is not there. */
export function modeInForce(configured: Mode, workers: ProgramWorkers): ModeInForce {
  if (configured !== 'code' || workers.host !== undefined) return { configured, inForce: configured }
  return { configured, inForce: 'tools', reason: `no worker can run programs: ${workers.reason ?? 'unknown'}` }
}
