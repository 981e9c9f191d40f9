import type { Logger } from 'pino'
import type { LiveSettings } from '../live-settings.ts'
import type { Seal } from '../state/seal.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { Tokens } from '../state/tokens/tokens.ts'
import type { Store } from '../store/store.ts'
import type { Approvals } from './build-approvals.ts'
import type { CatalogParts } from './build-catalog.ts'
import type { Sources } from './build-sources.ts'
import type { Sandbox } from './start-sandbox.ts'

/** What is open before anything is served. */
export interface ServerParts extends CatalogParts {
  readonly settings: LiveSettings
  readonly state: StateDirectory
  readonly seal: Seal
  readonly store: Store
  readonly tokens: Tokens
  readonly sources: Sources
  readonly sandbox: Sandbox
  readonly approvals: Approvals
  readonly closing: AbortSignal
  readonly version: string
  readonly log: Logger
  readonly now: () => number
}
