import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A process that serves something, and what it has started itself. */
export interface Service {
  readonly address: string
  /** Safe to call twice. */
  stop(): Promise<void>
}

export interface ServiceCommand {
  /** For messages. */
  readonly name: string
  /** The script for this Node, and its arguments. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The address in a line of its output; undefined for any other line. */
  readonly readAddress: (line: string) => string | undefined
}

/** A start takes seconds; on a machine that is busy with tests, many. */
const START_BUDGET_MS = 60_000
const STOP_BUDGET_MS = 10_000
/** Of its output, for the message when it does not start. */
const TAIL_LENGTH = 2_000

/**
 * Starts a script in a process group of its own and waits for its address.
 * @throws {Error} with the end of its output, when it does not come to serve
 */
export async function startService(command: ServiceCommand): Promise<Service> {
  const child = spawn(process.execPath, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A launcher's own child must not outlive it: the whole group is what gets stopped.
    detached: true,
  })
  let isOver = false
  const over = Promise.withResolvers<void>()
  const end = (): void => {
    isOver = true
    over.resolve()
  }
  child.once('close', end).once('error', end)
  const kill = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    if (!isOver) killGroup(child, signal)
  }
  const killWithUs = (): void => kill('SIGKILL')
  process.once('exit', killWithUs)
  const stop = async (): Promise<void> => {
    kill('SIGTERM')
    const timer = setTimeout(killWithUs, STOP_BUDGET_MS)
    await over.promise
    clearTimeout(timer)
    process.off('exit', killWithUs)
  }
  try {
    return { address: await untilServing(child, command), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilServing(child: ChildProcess, { name, readAddress }: ServiceCommand): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let tail = ''
  // They keep reading after the address, so that the child never waits for a full pipe.
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) => {
      tail = `${tail}${line}\n`.slice(-TAIL_LENGTH)
      const address = readAddress(line)
      if (address !== undefined) resolve(address)
    })
  }
  child.once('error', reject)
  child.once('close', () => reject(new Error(`${name} ended before it served anything:\n${tail}`)))
  const late = (): void => reject(new Error(`${name} did not serve within ${START_BUDGET_MS} ms:\n${tail}`))
  const timer = setTimeout(late, START_BUDGET_MS)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    // Windows has no groups to signal.
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // None of it runs any more.
  }
}
