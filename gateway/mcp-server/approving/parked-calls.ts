import { createHash } from 'node:crypto'
import type { Pending } from '../../../bridge/approval.ts'
import type { Run } from '../../../bridge/run.ts'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Store } from '../../store/store.ts'
import { HELD_CALL_MS, PARKED_CALL_MAX_BYTES, SHARED_LOOK_MS } from '../limits.ts'
import type { Parked } from './follow-end.ts'

/** Begins the spaces in which a call leads to what was parked of it; their values are dropped some day. */
export const PARKED_CALL_SPACE = 'mcp-call:'

export interface ParkedCallsDeps {
  readonly store: Pick<Store, 'getValue' | 'setValue' | 'listValueSessions' | 'isShared'>
  readonly getRun: (tenant: string, id: string) => Promise<Run | undefined>
  readonly callEnd: (tenant: string, callId: string) => Promise<JsonObject | undefined>
  readonly now: () => number
}

/** Which parked work the same call made again goes on with, whatever became of the process that was asked first. */
export interface ParkedCalls {
  remember(tenant: string, key: string, parked: Parked): Promise<void>
  find(tenant: string, key: string): Promise<Parked | undefined>
  /** Nothing was ever parked, as far as is known here: nearly always. */
  isEmpty(): Promise<boolean>
  /** Its client has the end: made again it is another call. */
  forget(tenant: string, key: string): Promise<void>
}

export function createParkedCalls(deps: ParkedCallsDeps): ParkedCalls {
  const put = async (tenant: string, key: string, value: JsonValue): Promise<void> => {
    await deps.store.setValue({ tenant, session: spaceOf(key), key: 'work', value }, PARKED_CALL_MAX_BYTES)
  }
  const spaces = createSpaces(deps)
  return {
    async remember(tenant, key, { runId = null, callId = null }) {
      await spaces.add(tenant, key)
      await put(tenant, key, { runId, callId, sinceMs: deps.now() })
    },
    isEmpty: () => spaces.isEmpty(),
    async find(tenant, key) {
      if (!(await spaces.mayHave(tenant, key))) return undefined
      const kept = await deps.store.getValue(tenant, spaceOf(key), 'work')
      if (!isJsonObject(kept)) return undefined
      const { runId, callId, sinceMs } = kept
      if (typeof sinceMs !== 'number' || deps.now() - sinceMs >= HELD_CALL_MS) return undefined
      if (typeof runId === 'string') return ofRun(await deps.getRun(tenant, runId))
      return typeof callId === 'string' ? ofCall(callId, await deps.callEnd(tenant, callId)) : undefined
    },
    forget: (tenant, key) => put(tenant, key, null),
  }
}

interface Spaces {
  add(tenant: string, key: string): Promise<void>
  isEmpty(): Promise<boolean>
  /** False where nothing was remembered, so that the store need not be asked. */
  mayHave(tenant: string, key: string): Promise<boolean>
}

/** Of a store that another gateway writes to nothing is known without asking; that it does may show at any time. */
function createSpaces({ store, now }: Pick<ParkedCallsDeps, 'store' | 'now'>): Spaces {
  let [wasShared, lookAtMs] = [false, Number.NEGATIVE_INFINITY]
  let loading: Promise<Set<string>> | undefined
  const load = async (): Promise<Set<string>> => {
    const found = await store.listValueSessions(PARKED_CALL_SPACE)
    return new Set(found.map(({ tenant, session }) => nameOf(tenant, session)))
  }
  const known = (): Promise<Set<string>> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    async add(tenant, key) {
      if (store.isShared) return
      const spaces = await known()
      spaces.add(nameOf(tenant, spaceOf(key)))
    },
    async isEmpty() {
      // Asked before each call, and a look takes as long as all else until its tool is chosen.
      if (now() >= lookAtMs) [wasShared, lookAtMs] = [store.isShared, now() + SHARED_LOOK_MS]
      return !wasShared && (await known()).size === 0
    },
    async mayHave(tenant, key) {
      if (store.isShared) return true
      const spaces = await known()
      return spaces.has(nameOf(tenant, spaceOf(key)))
    },
  }
}

function nameOf(tenant: string, space: string): string {
  return `${space} ${tenant}`
}

/** Arguments may be secrets: what they are found by says nothing of them. */
function spaceOf(key: string): string {
  return `${PARKED_CALL_SPACE}${createHash('sha256').update(key).digest('hex')}`
}

function ofRun(run: Run | undefined): Parked | undefined {
  return run && { runId: run.id, waiting: run.status === 'waiting' ? run.pending : [] }
}

function ofCall(callId: string, end: JsonObject | undefined): Parked | undefined {
  if (end === undefined) return undefined
  const pending = Array.isArray(end['pending']) ? end['pending'] : []
  return { callId, waiting: pending.flatMap(readPending) }
}

/** As it was told when the call was parked. */
function readPending(value: JsonValue): readonly Pending[] {
  if (!isJsonObject(value)) return []
  const { approval, callId, tool, title, expiresMs } = value
  const isRead =
    typeof approval === 'string' &&
    typeof callId === 'string' &&
    typeof tool === 'string' &&
    typeof title === 'string' &&
    typeof expiresMs === 'number'
  return isRead ? [{ approval, callId, tool, title, expiresMs }] : []
}
