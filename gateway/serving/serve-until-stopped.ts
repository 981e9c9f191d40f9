import type { ServeOptions as ServeFlags } from '../cli/cli-deps.ts'
import { configPaths } from '../config/config-paths.ts'
import { formatProblem } from '../config/config-problem.ts'
import type { ValidConfig } from '../config/config-watch.ts'
import { SERVER_SECRET_WAIT_MS } from '../config/limits.ts'
import { loadConfig } from '../config/load-config.ts'
import { createPatientSecrets } from '../config/secrets/patient-secrets.ts'
import type { FetchSecret } from '../config/secrets/secret-source.ts'
import { StateError } from '../state/errors.ts'
import { StoreError } from '../store/errors.ts'
import type { CommandName } from './banner.ts'
import { bannerText } from './banner.ts'
import { STOP_BUDGET_MS } from './limits.ts'
import { optimiseEarly } from './optimise-early.ts'
import { readableLine } from './readable-line.ts'
import type { Served } from './serve.ts'
import { ListenError } from './serve-address.ts'
import type { StopSignal } from './stop-signal.ts'
import { listenForStop } from './stop-signal.ts'
import { watchApplied } from './watch-applied.ts'

export interface ServeIo {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** Whether a person reads stderr: then warnings of the log are lines of text there, else JSON. */
  readonly isTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly importModule: (url: string) => Promise<unknown>
  readonly version: string
  readonly command: CommandName
}

/**
 * Serves until SIGINT, SIGTERM or SIGHUP; a second one ends it at once. Exit code: 0 after a clean stop, 1 when it could
 * not start, did not stop cleanly or was ended at once, 2 for a bad configuration.
 */
export async function serveUntilStopped(flags: ServeFlags, io: ServeIo): Promise<number> {
  const { stateDirectory, configFile } = flags
  const paths = configPaths({
    cwd: io.cwd,
    env: io.env,
    stateDirectory,
    ...(configFile !== undefined && { configFile }),
  })
  const secrets = createPatientSecrets(SERVER_SECRET_WAIT_MS)
  const loaded = await loadConfig(paths, io.env, secrets.early)
  if (loaded.kind === 'invalid') {
    for (const problem of loaded.problems) io.stderr(`error: ${formatProblem(problem, loaded.source)}\n`)
    return 2
  }
  // Before the start: a signal that comes during it must not be lost.
  const stop = listenForStop({ on: (signal, listener) => process.on(signal, listener), nowMs: () => performance.now() })
  const starting = { ...io, paths, fetchSecret: secrets.whole }
  return await Promise.race([serveAndStop({ flags, loaded, stop, io: starting }), stop.insisted.then(() => 1)])
}

interface Serving {
  readonly flags: ServeFlags
  readonly loaded: ValidConfig
  readonly stop: StopSignal
  readonly io: Starting
}

async function serveAndStop({ flags, loaded, stop, io }: Serving): Promise<number> {
  const served = await start(flags, loaded, io)
  if (served === undefined) return 1
  const { url, facts } = served
  if (flags.json === true) io.stdout(`${JSON.stringify({ event: 'listening', ...facts, chatToken: undefined })}\n`)
  else io.stdout(bannerText(facts, io.command))
  optimiseEarly()
  const watch = watchApplied(served.gateway, { current: loaded, ...io })
  await stop.asked
  watch.close()
  served.gateway.log.info({ url }, 'stopping')
  return await Promise.race([stopped(served, io), afterBudget()])
}

async function stopped(served: Served, { stderr }: Starting): Promise<number> {
  try {
    await served.close()
    return 0
  } catch (error) {
    stderr(`error: the gateway did not stop cleanly: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

interface Starting extends ServeIo {
  readonly paths: ReturnType<typeof configPaths>
  readonly fetchSecret: FetchSecret
}

/** Undefined when it cannot start; why was then said. */
async function start(flags: ServeFlags, loaded: ValidConfig, io: Starting): Promise<Served | undefined> {
  try {
    // Only now: a configuration that is wrong is told in a fifth of the time that the server takes to load.
    const { serve } = await import('./serve.ts')
    return await serve({
      config: loaded,
      configFile: loaded.source,
      paths: io.paths,
      host: flags.host,
      port: flags.port,
      environmentToken: flags.token,
      importModule: io.importModule,
      stderr: { write: io.isTerminal ? (line) => io.stderr(readableLine(line)) : io.stderr },
      version: io.version,
    })
  } catch (error) {
    const isExpected = error instanceof StateError || error instanceof StoreError || error instanceof ListenError
    if (!isExpected) throw error
    io.stderr(`error: ${error.message}\n`)
    return undefined
  }
}

/** What is left by then is cut off, which is a clean stop too: it was told to end. */
function afterBudget(): Promise<number> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(0), STOP_BUDGET_MS).unref()
  })
}
