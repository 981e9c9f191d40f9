import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { ArtifactStore } from '../../bridge/artifacts.ts'
import type { ProgramHost, ProgramLimits } from '../../bridge/isolate/program-host.ts'
import type { WaitingRun } from '../../bridge/parking/waiting-run.ts'
import { diagnose } from '../../bridge/program/diagnose.ts'
import { prepareProgram } from '../../bridge/program/prepare-program.ts'
import type { PreparedProgram } from '../../bridge/program/prepared-program.ts'
import { createQueryMemory } from '../../bridge/surface/query-memory.ts'
import type { ReplayRun } from '../../bridge/running/replay-run.ts'
import { createReplayRun } from '../../bridge/running/replay-run.ts'
import { createResumeRun } from '../../bridge/running/resume-run.ts'
import type { RunBusy, RunProgram, RunRecording } from '../../bridge/running/run-program.ts'
import { createRunProgram } from '../../bridge/running/run-program.ts'
import type { Run } from '../../bridge/run.ts'
import type { SurfaceOptions, ToolSurface } from '../../bridge/surface/tool-surface.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import type { LiveWork } from '../parking/live-work.ts'
import type { WaitingRuns } from '../parking/waiting-runs.ts'
import { runTaken } from '../routes/run-taken.ts'
import type { Seal } from '../state/seal.ts'
import { afterCalls } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { createValuesOf } from './program-values.ts'
import type { Recordings } from './recordings.ts'

export interface RunsDeps {
  readonly host: ProgramHost
  readonly limits: () => ProgramLimits
  /** Longest program, in UTF-8 bytes. */
  readonly sourceMaxBytes: () => number
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  /** What the programs of a caller may see now. */
  readonly viewFor: (caller: Caller, clientTools: readonly Tool[]) => View
  readonly store: Pick<Store, 'putRun' | 'getRun' | 'getValue' | 'setValue'> & {
    readonly approvals: Pick<Store['approvals'], 'list'>
  }
  readonly waiting: WaitingRuns
  readonly live: LiveWork
  /** Gives the time until which they wait from now on. */
  readonly parkApprovals: (tenant: string, ids: readonly string[]) => Promise<number>
  /** How long calls are held for a person before their run is parked. */
  readonly holdMs: () => number
  readonly artifacts: ArtifactStore
  /** Told of what of a run could not be kept whole. */
  readonly warn: (message: string, error: unknown) => void
  readonly recordings: Recordings
  readonly seal: Seal
  readonly redactText: (text: string) => string
  readonly redactShape: <T>(value: T) => T
  /** The gateway stops: what goes on by itself then goes on after the next start. */
  readonly closing: AbortSignal
  readonly now: () => number
}

export interface Runs {
  readonly runProgram: RunProgram
  readonly replayRun: ReplayRun
  /** Goes on with a run that waits; where it has ended already, how it ended. */
  readonly resumeRun: (tenant: string, id: string, signal: AbortSignal) => Promise<Run | RunBusy | undefined>
}

/** Runs programs in the pool, keeps their records, and runs them again from those. */
export function createRuns(deps: RunsDeps): Runs {
  const common = {
    host: deps.host,
    prepare: (source: unknown) => prepareProgram(source, { sourceBytes: deps.sourceMaxBytes() }),
    diagnose,
    artifacts: deps.artifacts,
    warn: deps.warn,
    redact: deps.redactText,
    newId: () => `run_${randomUUID()}`,
  }
  const stretches = {
    ...common,
    createSurface: deps.createSurface,
    valuesOf: createValuesOf(deps),
    keepWaiting: (run: WaitingRun) => deps.waiting.keep(run),
    parkApprovals: deps.parkApprovals,
    newClientKey: () => randomBytes(12).toString('hex'),
    now: deps.now,
  }
  const run: RunProgram = (request, signal) =>
    createRunProgram({
      ...stretches,
      limits: deps.limits(),
      holdMs: deps.holdMs,
      onRunEnded: (ended, { caller, source }, recording) => keepRun({ run: ended, caller, source, recording }, deps),
      newSeed,
    })(request, signal)
  const resume = createResumeRun({
    ...stretches,
    prepare: prepareKept,
    async onRunEnded(ended, { from }, recording) {
      // The gateway stops in the middle of it: it stays as it was last kept.
      if (ended.status === 'failed' && ended.error.code === 'cancelled' && deps.closing.aborted) return
      await keepRun({ run: ended, caller: from.caller, source: from.recording.source, recording }, deps)
    },
  })
  return {
    runProgram(request, signal) {
      const id = request.id ?? common.newId()
      const { tenant } = request.caller
      return alone({ tenant, id }, deps, async () => {
        if (request.id !== undefined && (await hasBeen(tenant, id, deps))) throw runTaken(id)
        return run({ ...request, id }, signal)
      })
    },
    replayRun: createReplayRun(common),
    resumeRun: (tenant, id, signal) =>
      alone({ tenant, id }, deps, async () => {
        const from = await deps.waiting.get(tenant, id)
        const stored = (await deps.store.getRun(tenant, id))?.run
        if (from === undefined) return stored
        const view = deps.viewFor(from.caller, from.clientTools)
        if (stored === undefined || stored.status === 'waiting')
          return resume({ from, view, memory: createQueryMemory() }, signal)
        // Its end was kept, and the gateway ended before it was taken off the list.
        await deps.waiting.remove(tenant, id)
        return stored
      }),
  }
}

/** Start of `Math.random` in a program; recorded, so that a replay draws the same numbers. */
function newSeed(): number {
  return randomInt(2 ** 32)
}

/** It was taken when it came, and somebody may have allowed its calls since: the limit of today is for new programs. */
function prepareKept(source: unknown): PreparedProgram {
  return prepareProgram(source, { sourceBytes: Number.POSITIVE_INFINITY })
}

interface RunPlace {
  readonly tenant: string
  readonly id: string
}

/** Once nobody else is at this run. */
async function alone<T>({ tenant, id }: RunPlace, { live }: RunsDeps, work: () => Promise<T>): Promise<T> {
  const leave = await live.enter(tenant, id)
  try {
    return await work()
  } finally {
    leave()
  }
}

/**
 * Whether there ever was a run of this id, though its end may not have been kept: what was decided about its calls is
 * found by their ids, and must not count for the calls of another run.
 */
async function hasBeen(tenant: string, id: string, { store, waiting }: RunsDeps): Promise<boolean> {
  if ((await store.getRun(tenant, id)) !== undefined || (await waiting.get(tenant, id)) !== undefined) return true
  return (await store.approvals.list(tenant, { runId: id, limit: 1 })).length > 0
}

interface EndedRun {
  readonly run: Run
  readonly caller: Caller
  readonly source: unknown
  readonly recording: RunRecording | undefined
}

async function keepRun(ended: EndedRun, deps: RunsDeps): Promise<void> {
  const { run } = ended
  // Of a run that failed since the receipt of a call could not be kept that call is not among its calls.
  const hasCalled = run.status === 'failed' || run.calls.some(({ effect }) => effect !== 'none')
  await recordRun(ended, deps).catch((error: unknown) => {
    throw hasCalled ? afterCalls(error) : error
  })
}

async function recordRun({ run, caller, source, recording }: EndedRun, deps: RunsDeps): Promise<void> {
  const { seed = 0, startMs = deps.now() } = recording ?? {}
  await deps.store.putRun(caller.tenant, deps.redactShape(run), {
    agent: caller.agent,
    code: deps.redactText(typeof source === 'string' ? source.slice(0, deps.sourceMaxBytes()) : ''),
    seed,
    startMs,
    ...(caller.session !== undefined && { session: caller.session }),
    // While it waits its record lies with what it waits for.
    ...(recording && run.status !== 'waiting' && { journal: deps.recordings.toText(recording, run.id) }),
  })
  if (run.status !== 'waiting') await deps.waiting.remove(caller.tenant, run.id)
}
