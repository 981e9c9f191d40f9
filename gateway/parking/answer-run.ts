import type { Run } from '../../bridge/run.ts'
import type { RunBusy } from '../../bridge/running/run-program.ts'
import type { AnswerRun } from '../routes/direct/run-results-routes.ts'
import { HttpError } from '../http/http-error.ts'
import type { LiveWork } from './live-work.ts'
import type { WaitingRuns } from './waiting-runs.ts'

export interface AnswerRunDeps {
  readonly runs: WaitingRuns
  readonly live: LiveWork
  readonly resumeRun: (tenant: string, id: string, signal: AbortSignal) => Promise<Run | RunBusy | undefined>
}

/** The results are kept before the run goes on: a client never has to bring them twice. */
export function createAnswerRun({ runs, live, resumeRun }: AnswerRunDeps): AnswerRun {
  return async ({ tenant, id }, answers, signal) => {
    const leave = await live.enter(tenant, id)
    // Nobody else goes on with it between the two.
    const unknown = await runs.answer(tenant, id, answers).finally(leave)
    if (unknown.length > 0) return { kind: 'unknown', ids: unknown }
    const run = await resumeRun(tenant, id, signal)
    if (run?.status === 'busy') throw new HttpError('busy', run.message, { retryAfterSeconds: 1 })
    if (run === undefined) throw new HttpError('not_found', `there is no run ${JSON.stringify(id.slice(0, 100))}`)
    return { kind: 'run', run }
  }
}
