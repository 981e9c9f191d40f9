import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ApiClient } from './api-client.ts'
import { createApiClient } from './api-client.ts'

/** A gateway of the checkout in a process of its own, with a folder of its own for state and configuration. */
export interface GatewayProcess {
  readonly url: string
  readonly token: string
  readonly folder: string
  readonly stateDir: string
  readonly configFile: string
  readonly pid: number
  /** With the admin token. */
  readonly api: ApiClient
  /** Everything that it has written so far. */
  output(): string
  /** A command of the CLI on the same state directory and configuration file. */
  cli(...args: readonly string[]): Promise<CommandEnd>
  /** Writes the whole configuration file, as an editor would. */
  writeConfig(config: object | string): Promise<void>
  logText(): Promise<string>
  /** SIGTERM, and its exit code; the folder stays until `remove`. */
  stop(): Promise<number | null>
  kill(): Promise<void>
  /** Stops it where it runs, and removes its folder. */
  remove(): Promise<void>
}

export interface GatewayOptions {
  readonly config?: object
  readonly env?: Readonly<Record<string, string>>
  /** Starts again where another gateway has stopped. */
  readonly folder?: string
  /** Another checkout than this one. */
  readonly checkout?: string
}

export interface CommandEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export const ROOT = path.resolve(import.meta.dirname, '../..')
export const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const MAIN = 'gateway/main.ts'
export const MAIN_FILE = path.join(ROOT, MAIN)

/** @throws {Error} with what it wrote, when it does not come to listen */
export async function startGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'drawbridge-e2e-')))
  const [stateDir, configFile] = [path.join(folder, 'state'), path.join(folder, 'drawbridge.json5')]
  if (options.config !== undefined || options.folder === undefined)
    await writeFile(configFile, JSON.stringify(options.config ?? {}, null, 2))
  const token = `e2e-${randomBytes(24).toString('hex')}`
  const args = ['serve', '--port', '0', '--state-dir', stateDir, '--config', configFile, '--token', token, '--json']
  const child = spawn(process.execPath, [path.join(options.checkout ?? ROOT, MAIN), ...args], {
    cwd: folder,
    env: { ...bareEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  void ended.then(() => process.off('exit', killWithUs))
  const output = collect(child)
  const url = await listening(child, output)
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return await ended
  }
  return {
    url,
    token,
    folder,
    stateDir,
    configFile,
    output,
    pid: child.pid ?? 0,
    api: createApiClient(url, token),
    cli: (...rest) =>
      runCli(rest, {
        DRAWBRIDGE_STATE_DIR: stateDir,
        DRAWBRIDGE_CONFIG: configFile,
        DRAWBRIDGE_TOKEN: token,
        ...options.env,
      }),
    writeConfig: (config) =>
      writeFile(configFile, typeof config === 'string' ? config : JSON.stringify(config, null, 2)),
    logText: () => readFile(path.join(stateDir, 'logs/gateway.log'), 'utf8'),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    async remove() {
      await end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a command to its end, whatever that is. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string = tmpdir(),
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...bareEnvironment(), ...env }, timeout: COMMAND_BUDGET_MS }
    execFile(process.execPath, [path.join(ROOT, MAIN), ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr })
    })
  })
}

/** A command takes under a second; on a machine that is busy with other tests, many. */
const COMMAND_BUDGET_MS = 60_000

/** Nothing of the shell's own: a key in the environment would choose another provider. */
function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  return () => text
}

function listening(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const line = /^\{"event":"listening".*\}$/m.exec(output())?.[0]
      if (line !== undefined) resolve(JSON.parse(line).url)
    })
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}:\n${output()}`)))
  })
}
