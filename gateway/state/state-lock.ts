import { constants } from 'node:fs'
import { access, open } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StateError } from './errors.ts'
import { LOCK_WAIT_MS } from './limits.ts'
import { PRIVATE_MODE } from './write-whole.ts'

/** Held while it is open. */
export interface StateLock {
  readonly isHeld: boolean
  release(): void
}

/**
 * The lock is an open transaction on a SQLite file: its lock is the system's own, which goes with the process even when
 * that is killed, where a file with a process id in it would stay behind and lie. Undefined when another holds it.
 */
export async function takeStateLock(folder: string): Promise<StateLock | undefined> {
  const file = lockFile(folder)
  await (await open(file, 'a', PRIVATE_MODE)).close()
  const lock = new DatabaseSync(file, { timeout: LOCK_WAIT_MS })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error)) return undefined
    throw error
  }
  return {
    get isHeld() {
      return lock.isOpen
    },
    release: () => lock.close(),
  }
}

/**
 * Whether some gateway holds the directory at this moment.
 * @throws {StateError} when that cannot be told, as in the directory of somebody else
 */
export async function isStateLockHeld(folder: string): Promise<boolean> {
  const file = lockFile(folder)
  try {
    await access(file, constants.R_OK)
  } catch (error) {
    // No gateway has ever held it.
    if (isAbsent(error)) return false
    throw unreadable(folder, error)
  }
  let probe: DatabaseSync | undefined
  try {
    probe = new DatabaseSync(file, { readOnly: true, timeout: 0 })
    // Reading needs a lock that goes with other readers, but not with a holder.
    probe.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw unreadable(folder, error)
  } finally {
    probe?.close()
  }
}

function isAbsent(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function unreadable(folder: string, cause: unknown): StateError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `whether a gateway holds state directory "${folder}" cannot be told: ${reason}; do this as its owner, or name another by --state-dir`
  return new StateError('state-directory-unusable', message, { cause })
}

function lockFile(folder: string): string {
  return path.join(folder, 'lock.db')
}

/** The result code for a lock that someone else has. */
const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'errcode') === SQLITE_BUSY
}
