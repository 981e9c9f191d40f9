import type { DatabaseSync } from 'node:sqlite'
import { toStoreError } from './sqlite-error.ts'

/** Work on the file in steps that are synchronous inside, so that none sees another half done. */
export interface SqliteSteps {
  /** Rejects with a `StoreError`. */
  readonly run: <Value>(work: () => Value) => Promise<Value>
  /** The same, all or nothing. */
  readonly transact: <Value>(work: () => Value) => Promise<Value>
  /** The same at once; it throws what SQLite throws. */
  readonly transactNow: <Value>(work: () => Value) => Value
}

export function createSqliteSteps(database: DatabaseSync, file: string): SqliteSteps {
  const run: SqliteSteps['run'] = async (work) => {
    try {
      return work()
    } catch (error) {
      throw toStoreError(error, file)
    }
  }
  const transactNow: SqliteSteps['transactNow'] = (work) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      database.exec('COMMIT')
      return value
    } catch (error) {
      // A full disk rolls back by itself.
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
  return { run, transact: (work) => run(() => transactNow(work)), transactNow }
}
