import { gunzipSync, gzipSync } from 'node:zlib'
import type { Seal } from '../state/seal.ts'
import type { Store } from '../store/store.ts'
import type { WorkClaims } from './work-claims.ts'
import type { WaitingEntry } from '../store/waiting-store.ts'

/** Work that waits, in the store: what it holds is compressed and sealed for its own id, so that no row can stand in for another. */
export interface SealedWork {
  put(entry: WaitingEntry, content: object): Promise<void>
  /** The entry with its JSON; undefined where there is none. */
  get(tenant: string, id: string): Promise<{ readonly entry: WaitingEntry; readonly json: string } | undefined>
  remove(tenant: string, id: string): Promise<void>
}

export interface SealedWorkDeps {
  readonly store: Pick<Store, 'waiting'>
  readonly seal: Pick<Seal, 'seal' | 'open'>
  readonly claims: Pick<WorkClaims, 'claimOn' | 'note'>
}

export function createSealedWork({ store, seal, claims }: SealedWorkDeps): SealedWork {
  return {
    async put(entry, content) {
      const bytes = seal.seal(gzipSync(JSON.stringify(content)), purposeOf(entry))
      const { tenant, id } = entry
      const row = { ...entry, sealed: Buffer.from(bytes).toString('base64') }
      await store.waiting.put(row, claims.claimOn(tenant, id))
      claims.note(tenant, id, true)
    },
    async get(tenant, id) {
      const row = await store.waiting.get(tenant, id)
      if (row === undefined) return undefined
      const { sealed, ...entry } = row
      return { entry, json: gunzipSync(seal.open(Buffer.from(sealed, 'base64'), purposeOf(entry))).toString('utf8') }
    },
    async remove(tenant, id) {
      await store.waiting.remove(tenant, id, claims.claimOn(tenant, id))
      claims.note(tenant, id, false)
    },
  }
}

function purposeOf({ tenant, id }: Pick<WaitingEntry, 'tenant' | 'id'>): string {
  return `waiting:${JSON.stringify([tenant, id])}`
}
