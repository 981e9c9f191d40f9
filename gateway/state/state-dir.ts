import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StateError } from './errors.ts'
import type { RunningGateway } from './running-gateway.ts'
import { readRunningGateway, runningGatewayFile } from './running-gateway.ts'
import { PRIVATE_MODE, writeWhole } from './write-whole.ts'

/** Its result code for a lock that someone else has. */
const SQLITE_BUSY = 5

export interface StateDirectoryOptions {
  readonly pid: number
  readonly nowMs: number
}

/**
 * Makes the directory if need be and holds it for this process, until `close` or the process's end, however it ends.
 * @throws {StateError} `state-directory-in-use` (with who holds it), `state-directory-unusable`
 */
export async function openStateDirectory(folder: string, options: StateDirectoryOptions): Promise<StateDirectory> {
  const lock = await takeLock(folder)
  if (!lock) throw inUse(folder, await readRunningGateway(folder))
  const directory = new StateDirectory(folder, lock, { pid: options.pid, startedMs: options.nowMs })
  try {
    await directory.announce()
    return directory
  } catch (error) {
    await directory.close()
    throw unusable(folder, error)
  }
}

/** The state directory while this process holds it. */
export class StateDirectory {
  readonly path: string
  readonly #lock: DatabaseSync
  readonly #self: RunningGateway

  constructor(folder: string, lock: DatabaseSync, self: RunningGateway) {
    this.path = folder
    this.#lock = lock
    this.#self = self
  }

  file(name: string): string {
    return path.join(this.path, name)
  }

  /** Tells the CLI, and a second gateway, where this one listens. */
  async announce(address?: string): Promise<void> {
    const self: RunningGateway = { ...this.#self, ...(address !== undefined && { address }) }
    await writeWhole(runningGatewayFile(this.path), `${JSON.stringify(self)}\n`, { mode: PRIVATE_MODE })
  }

  async close(): Promise<void> {
    if (!this.#lock.isOpen) return
    // While the lock is still held, so that it is not the next holder's that is removed.
    await rm(runningGatewayFile(this.path), { force: true })
    this.#lock.close()
  }
}

/**
 * The lock is an open transaction on a SQLite file: its lock is the system's own, which goes with the process even when
 * that is killed, where a file with a process id in it would stay behind and lie.
 */
async function takeLock(folder: string): Promise<DatabaseSync | undefined> {
  const file = path.join(folder, 'lock.db')
  let lock: DatabaseSync | undefined
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await (await open(file, 'a', PRIVATE_MODE)).close()
    lock = new DatabaseSync(file)
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (isBusy(error)) return undefined
    throw unusable(folder, error)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'errcode') === SQLITE_BUSY
}

function inUse(folder: string, holder: RunningGateway | undefined): StateError {
  const who = holder === undefined ? 'another gateway' : `the gateway with process id ${holder.pid}`
  const where = holder?.address === undefined ? '' : ` at ${holder.address}`
  const way = 'stop it, or start this one with another --state-dir'
  return new StateError('state-directory-in-use', `state directory "${folder}" is held by ${who}${where}; ${way}`)
}

function unusable(folder: string, cause: unknown): StateError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `state directory "${folder}" cannot be used: ${reason}; make it writable, or name another by --state-dir`
  return new StateError('state-directory-unusable', message, { cause })
}
