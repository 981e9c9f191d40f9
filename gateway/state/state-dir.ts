import { rm } from 'node:fs/promises'
import path from 'node:path'
import { StateError } from './errors.ts'
import { makeFolder } from './make-folder.ts'
import type { AnnouncedConfig, RunningGateway } from './running-gateway.ts'
import { readRunningGateway, runningGatewayFile } from './running-gateway.ts'
import type { StateLock } from './state-lock.ts'
import { takeStateLock } from './state-lock.ts'
import { PRIVATE_MODE, writeWhole } from './write-whole.ts'

export interface StateDirectoryOptions {
  readonly pid: number
  readonly nowMs: number
}

/**
 * Makes the directory if need be and holds it for this process, until `close` or the process's end, however it ends.
 * @throws {StateError} `state-directory-in-use` (with who holds it), `state-directory-unusable`
 */
export async function openStateDirectory(folder: string, options: StateDirectoryOptions): Promise<StateDirectory> {
  const lock = await makeAndLock(folder)
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
  readonly #lock: StateLock
  #self: RunningGateway
  #writing: Promise<void> = Promise.resolve()

  constructor(folder: string, lock: StateLock, self: RunningGateway) {
    this.path = folder
    this.#lock = lock
    this.#self = self
  }

  file(name: string): string {
    return path.join(this.path, name)
  }

  /** Tells the CLI, and a second gateway, where this one listens. */
  async announce(address?: string): Promise<void> {
    await this.#write({ ...this.#self, ...(address !== undefined && { address }) })
  }

  /** Tells the CLI which configuration was read last, and what became of it. */
  async announceConfig(config: AnnouncedConfig): Promise<void> {
    await this.#write({ ...this.#self, config })
  }

  /** One after the other, so that the last word is the last written. */
  #write(self: RunningGateway): Promise<void> {
    this.#self = self
    const text = `${JSON.stringify(self)}\n`
    const file = runningGatewayFile(this.path)
    const written = this.#writing.then(() =>
      this.#lock.isHeld ? writeWhole(file, text, { mode: PRIVATE_MODE }) : undefined,
    )
    this.#writing = written.catch(() => undefined)
    return written
  }

  async close(): Promise<void> {
    await this.#writing
    if (!this.#lock.isHeld) return
    // While the lock is still held, so that it is not the next holder's that is removed.
    await rm(runningGatewayFile(this.path), { force: true })
    if (this.#lock.isHeld) this.#lock.release()
  }
}

async function makeAndLock(folder: string): Promise<StateLock | undefined> {
  try {
    await makeFolder(folder)
    return await takeStateLock(folder)
  } catch (error) {
    throw unusable(folder, error)
  }
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
