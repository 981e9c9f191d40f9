import type { Logger } from 'pino'
import type { Catalog } from '../../catalog/catalog.ts'
import { createDiskArtifacts } from '../artifacts/disk-artifacts.ts'
import type { Server } from '../building/build-server.ts'
import type { LiveSettings } from '../live-settings.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { Store } from '../store/store.ts'
import { dropEndedApprovals } from './drop-ended-approvals.ts'
import type { Chore } from './chore.ts'
import { startChore } from './chore.ts'
import { endRevoked } from './end-revoked.ts'
import { expireUnclaimed } from './expire-unclaimed.ts'
import { DAY_MS, EXPIRY_INTERVAL_MS, REVOCATION_INTERVAL_MS, UNCLAIMED_KEPT_MS } from './limits.ts'
import { createNameWarnings } from './name-warnings.ts'

export interface ChoresDeps {
  readonly settings: LiveSettings
  readonly catalog: Catalog
  readonly state: StateDirectory
  readonly store: Store
  readonly server: Pick<Server, 'cancelAbandoned' | 'clients'>
  readonly log: Logger
  readonly now: () => number
}

export interface Chores {
  /** The configuration has changed. */
  restart(): void
  stop(): void
}

/** What the gateway does beside its requests: it drops what is old, ends what may not go on, and warns of names that match nothing. */
export function startChores(deps: ChoresDeps): Chores {
  const { settings, catalog, log } = deps
  const repeated = [...startExpiries(deps), startRevocations(deps)]
  const names = createNameWarnings({ catalog, config: () => settings.current().config, log })
  return {
    restart: () => names.restart(),
    stop() {
      for (const chore of repeated) chore.stop()
      names.close()
    },
  }
}

/** Each asks the configuration anew when its hour has come. */
function startExpiries({ settings, state, store, server, log, now }: ChoresDeps): readonly Chore[] {
  const daysAgo = (days: number): number => now() - days * DAY_MS
  const config = () => settings.current().config
  const artifacts = createDiskArtifacts(state.file('artifacts'))
  const everyHour = (work: (stopping: AbortSignal) => Promise<unknown>, failed: string): Chore =>
    startChore(work, { everyMs: EXPIRY_INTERVAL_MS, failed, log })
  return [
    everyHour(
      () => store.expireJournals(daysAgo(config().runs.keepAnswersDays)),
      'recorded answers could not be dropped',
    ),
    everyHour(
      () => expireUnclaimed(now() - UNCLAIMED_KEPT_MS, { store, ...server }),
      'parked turns could not be dropped',
    ),
    everyHour(
      (stopping) => dropEndedApprovals(daysAgo(config().approvals.keepDays), { store, log }, stopping),
      'ended approvals could not be dropped',
    ),
    everyHour(() => artifacts.expire(daysAgo(config().runs.keepArtifactsDays)), 'old artifacts could not be removed'),
  ]
}

function startRevocations({ store, server: { clients }, log }: ChoresDeps): Chore {
  const failed = 'what is open with revoked tokens could not be ended'
  return startChore(() => endRevoked({ store, clients }), { everyMs: REVOCATION_INTERVAL_MS, failed, log })
}
