import type { ProgramValues } from '../../bridge/running/answer-operation.ts'
import type { StretchDeps } from '../../bridge/running/execute-program.ts'
import type { JsonValue } from '../../catalog/json.ts'
import type { Seal } from '../state/seal.ts'
import type { Store } from '../store/store.ts'
import { SESSION_VALUES_MAX_BYTES } from './limits.ts'

export interface ProgramValuesDeps {
  readonly store: Pick<Store, 'getValue' | 'setValue'>
  readonly seal: Seal
}

/** Base64 of sealed bytes is longer by a third. */
const SEALED_RATIO = 4 / 3

/**
 * What programs keep for later programs: for the session, or for the one run of a caller without one. A later program
 * needs it as it was, so it lies sealed: a tool's answer may hold a credential, and no redaction can be undone.
 */
export function createValuesOf({ store, seal }: ProgramValuesDeps): StretchDeps['valuesOf'] {
  return ({ tenant, session }, before) => {
    if (session === undefined) return createOwnValues(before)
    // A space of its own: no session may be named as what else is kept beside it.
    const space = `values:${session}`
    const purposeOf = (key: string): string => `value:${JSON.stringify([tenant, session, key])}`
    return {
      async get(key) {
        const sealed = await store.getValue(tenant, space, key)
        if (typeof sealed !== 'string') return undefined
        const value: JsonValue = JSON.parse(
          Buffer.from(seal.open(Buffer.from(sealed, 'base64'), purposeOf(key))).toString('utf8'),
        )
        return value
      },
      async set(key, value) {
        const bytes = seal.seal(Buffer.from(JSON.stringify(value)), purposeOf(key))
        const entry = { tenant, session: space, key, value: Buffer.from(bytes).toString('base64') }
        const { stored, usedBytes } = await store.setValue(entry, Math.ceil(SESSION_VALUES_MAX_BYTES * SEALED_RATIO))
        return { stored, usedBytes: Math.floor(usedBytes / SEALED_RATIO) }
      },
    }
  }
}

function createOwnValues(before: ReadonlyMap<string, JsonValue>): ProgramValues {
  const values = new Map(before)
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
