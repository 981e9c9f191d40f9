import type { JsonObject } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { Store } from '../store/store.ts'
import { TOLD_MAX_BYTES } from './limits.ts'

/** What became of turns and calls that were parked, redacted, for who asks by their ids. */
export interface ToldEnds {
  tell(tenant: string, id: string, end: JsonObject): Promise<void>
  get(tenant: string, id: string): Promise<JsonObject | undefined>
}

/** Begins the spaces of all that is told; their values are dropped some day. */
export const TOLD_SPACE = 'told:'

export function createToldEnds(deps: {
  readonly store: Pick<Store, 'getValue' | 'setValue'>
  readonly redact: (end: JsonObject) => JsonObject
}): ToldEnds {
  const spaceOf = (id: string): string => `${TOLD_SPACE}${id}`
  return {
    async tell(tenant, id, end) {
      const entry = { tenant, session: spaceOf(id), key: 'end', value: deps.redact(end) }
      await deps.store.setValue(entry, TOLD_MAX_BYTES)
    },
    async get(tenant, id) {
      const end = await deps.store.getValue(tenant, spaceOf(id), 'end')
      return isJsonObject(end) ? end : undefined
    },
  }
}
