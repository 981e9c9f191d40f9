import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'

/** A gateway of the checkout in a process of its own, with its own state and configuration. */
export interface GatewayProcess {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** An admin token. */
  readonly token: string
  /** Whether it runs, and the end of its error output: for the message when a request fails. */
  condition(): string
  stop(): Promise<void>
}

interface GatewayOptions {
  /** Holds state and configuration; the caller removes it. */
  readonly folder: string
  readonly config: object
}

const ROOT = path.resolve(import.meta.dirname, '../..')
/** A start takes about a second; on a machine that is busy with tests, ten. */
const START_BUDGET_MS = 60_000
const POLL_MS = 50
const STOP_BUDGET_MS = 10_000
/** Of its error output, for the message when it does not start. */
const TAIL_LENGTH = 4_000

/**
 * Starts `serve --json` and waits until it listens and its plugins are there.
 * @throws {Error} with the end of its error output, when it does not
 */
export async function startGateway({ folder, config }: GatewayOptions): Promise<GatewayProcess> {
  await mkdir(folder, { recursive: true })
  const configFile = path.join(folder, 'drawbridge.json5')
  await writeFile(configFile, JSON.stringify(config, null, 2))
  const token = `compare-${randomBytes(24).toString('hex')}`
  const child = spawn(process.execPath, [path.join(ROOT, 'gateway/main.ts'), 'serve', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nothing of the shell's own: a key in the environment would choose another provider.
    env: {
      ...pick(['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE']),
      DRAWBRIDGE_STATE_DIR: path.join(folder, 'state'),
      DRAWBRIDGE_CONFIG: configFile,
      DRAWBRIDGE_TOKEN: token,
    },
  })
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const stop = async (): Promise<void> => {
    process.off('exit', killWithUs)
    await stopChild(child)
  }
  const condition = watch(child)
  try {
    const url = await readAddress(child, condition)
    await untilSourcesStand(url, condition)
    return { url, token, condition, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Reads its error output, so that it never waits for a full pipe; gives what is known of it. */
function watch(child: ChildProcess): () => string {
  let tail = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-TAIL_LENGTH)
  })
  return () => {
    const isRunning = child.exitCode === null && child.signalCode === null
    const ending = child.signalCode ?? `exit code ${String(child.exitCode)}`
    return `the gateway ${isRunning ? 'is running' : `has ended (${ending})`}:\n${tail}`
  }
}

async function readAddress(child: ChildProcess, condition: () => string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // It keeps reading after the address, so that the child never waits for a full pipe.
  const lines = child.stdout === null ? undefined : createInterface({ input: child.stdout })
  lines?.on('line', (line) => {
    const url = readListening(line)
    if (url !== undefined) resolve(url)
  })
  child.once('error', reject)
  child.once('close', () => reject(new Error(`it did not listen; ${condition()}`)))
  const late = (): void => reject(new Error(`it did not listen within ${START_BUDGET_MS} ms; ${condition()}`))
  const timer = setTimeout(late, START_BUDGET_MS)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

/** It listens before slow sources are ready; what is measured here is a gateway that has its tools. */
async function untilSourcesStand(url: string, condition: () => string): Promise<void> {
  const deadlineMs = performance.now() + START_BUDGET_MS
  while (performance.now() < deadlineMs) {
    const answer = await fetch(`${url}/readyz`)
    const text = await answer.text()
    const state: unknown = JSON.parse(text)
    const sources: unknown =
      typeof state === 'object' && state !== null && 'sources' in state ? state.sources : undefined
    if (areSourcesReady(sources)) return
    await delay(POLL_MS)
  }
  throw new Error(`its sources were not ready within ${START_BUDGET_MS} ms; ${condition()}`)
}

function areSourcesReady(sources: unknown): boolean {
  if (typeof sources !== 'object' || sources === null) return false
  return 'connecting' in sources && sources.connecting === 0 && 'ready' in sources && Number(sources.ready) > 0
}

/** The address of a line `{"event":"listening","url":"…"}`; undefined for any other line. */
function readListening(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  const value: unknown = JSON.parse(line)
  if (typeof value !== 'object' || value === null || !('event' in value) || value.event !== 'listening')
    return undefined
  return 'url' in value && typeof value.url === 'string' ? value.url : undefined
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_BUDGET_MS)
  await ended
  clearTimeout(timer)
}

function pick(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
