export type CheckName =
  | 'configuration'
  | 'gateway'
  | 'sandbox'
  | 'store'
  | 'mcp'
  | 'plugins'
  | 'provider'
  | 'port'
  | 'files'

/** What one check found. */
export interface DoctorFinding {
  readonly check: CheckName
  /** `warning`: it can be lived with. `problem`: something does not work, or secrets are exposed. */
  readonly level: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What to do; absent where all is well. */
  readonly fix?: string
  /** `--fix` has done it. */
  readonly isFixed?: true
}

export function fine(check: CheckName, message: string): DoctorFinding {
  return { check, level: 'ok', message }
}
