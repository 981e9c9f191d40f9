import type { Logger } from 'pino'
import type { Catalog } from '../../catalog/catalog.ts'
import { createDiskArtifacts } from '../artifacts/disk-artifacts.ts'
import { keepArtifactsFor } from '../artifacts/keep-artifacts.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { Store } from '../store/store.ts'
import type { Server } from './build-server.ts'
import { dropEndedApprovals } from './drop-ended-approvals.ts'
import { expireParkedTurns } from './expire-parked-turns.ts'
import { keepJournalsFor } from './keep-journals.ts'
import type { LiveSettings } from './live-settings.ts'
import { createNameWarnings } from './name-warnings.ts'

export interface ChoresDeps {
  readonly settings: LiveSettings
  readonly catalog: Catalog
  readonly state: StateDirectory
  readonly store: Store
  readonly server: Pick<Server, 'cancelAbandoned'>
  readonly log: Logger
  readonly now: () => number
}

export interface Chores {
  /** The configuration has changed. */
  restart(): void
  stop(): void
}

/** What the gateway does beside its requests: it drops what is old, and warns of names that match nothing. */
export function startChores(deps: ChoresDeps): Chores {
  const { settings, catalog, state, store, server, log, now } = deps
  const runs = () => settings.current().config.runs
  const artifacts = createDiskArtifacts(state.file('artifacts'))
  const expiries = [
    keepJournalsFor(() => runs().keepAnswersDays, { store, log, now }),
    expireParkedTurns({ store, cancelAbandoned: server.cancelAbandoned, log, now }),
    dropEndedApprovals(() => settings.current().config.approvals.keepDays, { store, log, now }),
    keepArtifactsFor(() => runs().keepArtifactsDays, { artifacts, log, now }),
  ]
  const names = createNameWarnings({ catalog, config: () => settings.current().config, log })
  return {
    restart: () => names.restart(),
    stop() {
      for (const expiry of expiries) expiry.stop()
      names.close()
    },
  }
}
