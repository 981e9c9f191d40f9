import path from 'node:path'
import { StoreError } from './errors.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { Store } from './store.ts'

/**
 * Opens what `store.url` names; a relative file lies in the state directory.
 * @throws {StoreError}
 */
export async function openStore(url: string, stateDirectory: string): Promise<Store> {
  return openSqliteStore(storeFile(url, stateDirectory), path.join(stateDirectory, 'receipts.pending'))
}

/** The file that `store.url` names. */
export function storeFile(url: string, stateDirectory: string): string {
  const file = /^sqlite:(.+)$/.exec(url)?.[1]
  if (file === undefined) throw new StoreError('store-unreachable', `store.url "${url}" is not "sqlite:" and a file`)
  return path.resolve(stateDirectory, file)
}
