import { randomUUID } from 'node:crypto'
import type { ProgramValues } from '../../bridge/answer-operation.ts'
import type { ArtifactStore } from '../../bridge/artifacts.ts'
import type { ProgramHost, ProgramLimits } from '../../bridge/isolate/program-host.ts'
import { diagnose } from '../../bridge/program/diagnose.ts'
import { prepareProgram } from '../../bridge/program/prepare-program.ts'
import type { RunProgram } from '../../bridge/run-program.ts'
import { createRunProgram } from '../../bridge/run-program.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { JsonValue } from '../../catalog/json.ts'
import type { SurfaceOptions, ToolSurface } from '../../bridge/tool-surface.ts'
import type { Store } from '../store/store.ts'
import { newSeed } from './build-bridge.ts'

export interface RunsDeps {
  readonly host: ProgramHost
  readonly limits: () => ProgramLimits
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
  readonly store: Pick<Store, 'putRun' | 'getValue' | 'setValue'>
  readonly artifacts: ArtifactStore
  readonly redact: { readonly text: (text: string) => string; readonly json: (value: JsonValue) => JsonValue }
  readonly now: () => number
}

/** Longest program in UTF-8 bytes. */
const SOURCE_MAX_BYTES = 262_144
/** JSON of all values that the programs of one session keep. */
const SESSION_VALUES_MAX_BYTES = 1_048_576

/** Runs programs in the pool and keeps their records. */
export function buildRuns(deps: RunsDeps): RunProgram {
  return (request, signal) =>
    createRunProgram({
      host: deps.host,
      limits: deps.limits(),
      prepare: (source) => prepareProgram(source, { sourceBytes: SOURCE_MAX_BYTES }),
      diagnose,
      createSurface: deps.createSurface,
      valuesOf: (caller) => valuesOf(caller, deps.store),
      artifacts: deps.artifacts,
      redact: deps.redact.text,
      onRunEnded: async (run, { caller, source }, start) => {
        const code = typeof source === 'string' ? source.slice(0, SOURCE_MAX_BYTES) : ''
        await deps.store.putRun(caller.tenant, run, {
          agent: caller.agent,
          code: deps.redact.text(code),
          ...start,
          ...(caller.session !== undefined && { session: caller.session }),
        })
      },
      now: deps.now,
      newId: () => `run_${randomUUID()}`,
      newSeed,
    })(request, signal)
}

/** Values live as long as their session; a caller without one keeps them for the one run. */
function valuesOf({ tenant, session }: Caller, store: RunsDeps['store']): ProgramValues {
  if (session === undefined) return createOwnValues()
  return {
    get: (key) => store.getValue(tenant, session, key),
    set: (key, value) => store.setValue({ tenant, session, key, value }, SESSION_VALUES_MAX_BYTES),
  }
}

function createOwnValues(): ProgramValues {
  const values = new Map<string, JsonValue>()
  const usedBytes = (): number =>
    [...values].reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(JSON.stringify(value)), 0)
  return {
    get: async (key) => values.get(key),
    async set(key, value) {
      const before = values.get(key)
      values.set(key, value)
      if (usedBytes() <= SESSION_VALUES_MAX_BYTES) return { stored: true, usedBytes: usedBytes() }
      if (before === undefined) values.delete(key)
      else values.set(key, before)
      return { stored: false, usedBytes: usedBytes() }
    },
  }
}
