import { randomUUID } from 'node:crypto'
import type { ArtifactStore } from '../../bridge/artifacts.ts'
import type { ProgramHost, ProgramLimits } from '../../bridge/isolate/program-host.ts'
import { diagnose } from '../../bridge/program/diagnose.ts'
import { prepareProgram } from '../../bridge/program/prepare-program.ts'
import type { ReplayRun } from '../../bridge/replay-run.ts'
import { createReplayRun } from '../../bridge/replay-run.ts'
import type { Run } from '../../bridge/run.ts'
import type { RunProgram, RunRecording, RunRequest } from '../../bridge/run-program.ts'
import { createRunProgram } from '../../bridge/run-program.ts'
import type { SurfaceOptions, ToolSurface } from '../../bridge/tool-surface.ts'
import type { Seal } from '../state/seal.ts'
import type { Store } from '../store/store.ts'
import { newSeed } from './build-bridge.ts'
import { createValuesOf } from './program-values.ts'
import type { Recordings } from './recordings.ts'

export interface RunsDeps {
  readonly host: ProgramHost
  readonly limits: () => ProgramLimits
  /** Longest program, in UTF-8 bytes. */
  readonly sourceMaxBytes: () => number
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  readonly store: Pick<Store, 'putRun' | 'getValue' | 'setValue'>
  readonly artifacts: ArtifactStore
  readonly recordings: Recordings
  readonly seal: Seal
  readonly redactText: (text: string) => string
  readonly redactShape: <T>(value: T) => T
  readonly now: () => number
}

export interface Runs {
  readonly runProgram: RunProgram
  readonly replayRun: ReplayRun
}

/** Runs programs in the pool, keeps their records, and runs them again from those. */
export function buildRuns(deps: RunsDeps): Runs {
  const common = {
    host: deps.host,
    prepare: (source: unknown) => prepareProgram(source, { sourceBytes: deps.sourceMaxBytes() }),
    diagnose,
    artifacts: deps.artifacts,
    redact: deps.redactText,
    newId: () => `run_${randomUUID()}`,
  }
  return {
    runProgram: (request, signal) =>
      createRunProgram({
        ...common,
        limits: deps.limits(),
        createSurface: deps.createSurface,
        valuesOf: createValuesOf(deps),
        onRunEnded: (run, ended, recording) => keepRun({ run, request: ended, recording }, deps),
        now: deps.now,
        newSeed,
      })(request, signal),
    replayRun: createReplayRun(common),
  }
}

interface EndedRun {
  readonly run: Run
  readonly request: RunRequest
  readonly recording: RunRecording | undefined
}

async function keepRun({ run, request, recording }: EndedRun, deps: RunsDeps): Promise<void> {
  const { caller, source } = request
  const { seed = 0, startMs = deps.now() } = recording ?? {}
  await deps.store.putRun(caller.tenant, deps.redactShape(run), {
    agent: caller.agent,
    code: deps.redactText(typeof source === 'string' ? source.slice(0, deps.sourceMaxBytes()) : ''),
    seed,
    startMs,
    ...(caller.session !== undefined && { session: caller.session }),
    ...(recording && { journal: deps.recordings.toText(recording, run.id) }),
  })
}
