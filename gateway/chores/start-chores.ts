import type { Logger } from 'pino'
import type { Catalog } from '../../catalog/catalog.ts'
import { createDiskArtifacts } from '../artifacts/disk-artifacts.ts'
import type { Server } from '../building/build-server.ts'
import type { LiveSettings } from '../live-settings.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { Store } from '../store/store.ts'
import { dropEndedApprovals } from './drop-ended-approvals.ts'
import type { Chore } from './every-hour.ts'
import { everyHour } from './every-hour.ts'
import { expireUnclaimed } from './expire-unclaimed.ts'
import { DAY_MS, UNCLAIMED_KEPT_MS } from './limits.ts'
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
  const { settings, catalog, log } = deps
  const expiries = startExpiries(deps)
  const names = createNameWarnings({ catalog, config: () => settings.current().config, log })
  return {
    restart: () => names.restart(),
    stop() {
      for (const expiry of expiries) expiry.stop()
      names.close()
    },
  }
}

/** Each asks the configuration anew when its hour has come. */
function startExpiries({ settings, state, store, server, log, now }: ChoresDeps): readonly Chore[] {
  const daysAgo = (days: number): number => now() - days * DAY_MS
  const config = () => settings.current().config
  const artifacts = createDiskArtifacts(state.file('artifacts'))
  return [
    everyHour(() => store.expireJournals(daysAgo(config().runs.keepAnswersDays)), {
      failed: 'recorded answers could not be dropped',
      log,
    }),
    everyHour(() => expireUnclaimed(now() - UNCLAIMED_KEPT_MS, { store, ...server }), {
      failed: 'parked turns could not be dropped',
      log,
    }),
    everyHour((stopping) => dropEndedApprovals(daysAgo(config().approvals.keepDays), { store, log }, stopping), {
      failed: 'ended approvals could not be dropped',
      log,
    }),
    everyHour(() => artifacts.expire(daysAgo(config().runs.keepArtifactsDays)), {
      failed: 'old artifacts could not be removed',
      log,
    }),
  ]
}
