import type { Logger } from 'pino'
import type { ApprovalDesk } from '../../bridge/approval.ts'
import type { LiveSettings } from '../live-settings.ts'
import type { WorkResumer } from '../parking/create-resumer.ts'
import { createResumer } from '../parking/create-resumer.ts'
import type { LiveWork } from '../parking/live-work.ts'
import { createLiveWork } from '../parking/live-work.ts'
import type { ResumeWork } from '../parking/resume-work.ts'
import type { SealedWork } from '../parking/sealed-work.ts'
import { createSealedWork } from '../parking/sealed-work.ts'
import type { ToldEnds } from '../parking/told-ends.ts'
import { createToldEnds } from '../parking/told-ends.ts'
import type { WaitingRuns } from '../parking/waiting-runs.ts'
import { createWaitingRuns } from '../parking/waiting-runs.ts'
import type { WaitingTurns } from '../parking/waiting-turns.ts'
import { createWaitingTurns } from '../parking/waiting-turns.ts'
import { createWorkClaims } from '../parking/work-claims.ts'
import { gatewayId } from '../state/gateway-id.ts'
import type { Seal } from '../state/seal.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { WorkUnderWay } from '../stopping/work-under-way.ts'
import type { Store } from '../store/store.ts'

export interface ParkingDeps {
  readonly state: Pick<StateDirectory, 'path'>
  readonly store: Store
  readonly seal: Seal
  readonly settings: LiveSettings
  readonly underWay: WorkUnderWay
  readonly desk: Pick<ApprovalDesk, 'park'>
  readonly resume: ResumeWork
  readonly closing: AbortSignal
  readonly log: Logger
  readonly now: () => number
}

/** What keeps work that waits, for all ways in. */
export interface Parking {
  readonly work: SealedWork
  readonly live: LiveWork
  readonly runs: WaitingRuns
  readonly turns: WaitingTurns
  readonly told: ToldEnds
  readonly holdMs: () => number
  /** The long timeout counts for them; gives the time until which they wait. */
  readonly parkApprovals: (tenant: string, ids: readonly string[]) => Promise<number>
  readonly resumer: WorkResumer
}

export function buildParking(deps: ParkingDeps): Parking {
  const { store, seal, settings, underWay, desk, closing, log, now } = deps
  const resumer = createResumer({
    store,
    resume: deps.resume,
    track: (work) => underWay.track(work),
    closing,
    log,
  })
  const claims = createWorkClaims({
    store,
    owner: gatewayId(deps.state.path),
    closing,
    now,
    onError: (error) => log.error({ err: error }, 'claims on work could not be renewed'),
  })
  const work = createSealedWork({ store, seal, claims })
  return {
    work,
    live: createLiveWork({ claims, onLeft: (tenant, id) => resumer.look(tenant, id) }),
    runs: createWaitingRuns(work),
    turns: createWaitingTurns({ work, store }),
    told: createToldEnds({ store, redact: (end) => settings.redactShape(end) }),
    holdMs: () => settings.current().config.approvals.holdMs,
    async parkApprovals(tenant, ids) {
      await desk.park(tenant, ids)
      return now() + settings.current().config.approvals.parkedTimeoutMs
    },
    resumer,
  }
}
