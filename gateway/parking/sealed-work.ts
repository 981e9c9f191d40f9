import { gunzipSync, gzipSync } from 'node:zlib'
import type { Seal } from '../state/seal.ts'
import type { Store } from '../store/store.ts'
import type { WaitingEntry } from '../store/waiting-store.ts'

/** Work that waits, in the store: what it holds is compressed and sealed for its own id, so that no row can stand in for another. */
export interface SealedWork {
  put(entry: WaitingEntry, content: object): Promise<void>
  /** The entry with its JSON; undefined where there is none. */
  get(tenant: string, id: string): Promise<{ readonly entry: WaitingEntry; readonly json: string } | undefined>
  remove(tenant: string, id: string): Promise<void>
}

export function createSealedWork({
  store,
  seal,
}: {
  readonly store: Pick<Store, 'waiting'>
  readonly seal: Seal
}): SealedWork {
  return {
    async put(entry, content) {
      const bytes = seal.seal(gzipSync(JSON.stringify(content)), purposeOf(entry))
      await store.waiting.put({ ...entry, sealed: Buffer.from(bytes).toString('base64') })
    },
    async get(tenant, id) {
      const row = await store.waiting.get(tenant, id)
      if (row === undefined) return undefined
      const { sealed, ...entry } = row
      return { entry, json: gunzipSync(seal.open(Buffer.from(sealed, 'base64'), purposeOf(entry))).toString('utf8') }
    },
    remove: (tenant, id) => store.waiting.remove(tenant, id),
  }
}

function purposeOf({ tenant, id }: Pick<WaitingEntry, 'tenant' | 'id'>): string {
  return `waiting:${JSON.stringify([tenant, id])}`
}
