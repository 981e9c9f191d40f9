import { access } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'
import { LOCK_WAIT_MS } from '../limits.ts'
import { STORE_VERSION } from './migrations.ts'
import { toStoreError } from './sqlite-error.ts'

export type InspectedFile =
  /** `isOld`: the next start brings it up to date. */
  | { readonly kind: 'whole'; readonly isOld: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusable'; readonly message: string }

/** Looks through a store's file without changing it. */
export async function inspectSqliteFile(file: string): Promise<InspectedFile> {
  try {
    await access(file)
  } catch {
    // Absent, or out of reach together with its folder: the first start makes it, or says why it cannot.
    return { kind: 'absent' }
  }
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MS })
    try {
      return inspect(database, file)
    } finally {
      database.close()
    }
  } catch (error) {
    return { kind: 'unusable', message: toStoreError(error, file).message }
  }
}

function inspect(database: DatabaseSync, file: string): InspectedFile {
  const found = String(database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'])
  if (found !== 'ok') throw new StoreError('store-corrupt', `store "${file}" is damaged (${found}); restore a copy`)
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version > STORE_VERSION) {
    throw new StoreError('store-too-new', `store "${file}" was written by a newer Drawbridge; use that one`)
  }
  return { kind: 'whole', isOld: version < STORE_VERSION }
}
