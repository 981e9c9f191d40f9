import { setTimeout as pause } from 'node:timers/promises'
import type { ConfigPaths } from '../config/config-paths.ts'
import { formatProblem } from '../config/config-problem.ts'
import { loadConfig } from '../config/load-config.ts'
import type { GatewayPlace } from '../mcp-server/stdio/gateway-link.ts'
import { StateError } from '../state/errors.ts'
import { readRunningGateway } from '../state/running-gateway.ts'
import { isStateLockHeld } from '../state/state-lock.ts'
import { readTokenFile, tokenFile } from '../state/token-file.ts'
import { FIND_BUDGET_MS, FIND_POLL_MS } from './limits.ts'
import type { Served } from './serve.ts'
import { serve } from './serve.ts'
import { ListenError } from './serve-address.ts'
import { watchApplied } from './watch-applied.ts'

export interface FindOrStartOptions {
  readonly paths: ConfigPaths
  readonly env: Readonly<Record<string, string | undefined>>
  readonly importModule: (url: string) => Promise<unknown>
  readonly stderr: { readonly write: (line: string) => unknown }
  readonly version: string
}

/** The gateway of a state directory, whoever runs it. */
export interface FoundGateway {
  /**
   * Where one serves; where none does, one is started in this process.
   * @throws {NoGateway} when none runs and none can be started
   */
  find(): Promise<GatewayPlace>
  /** Ends the one that this process has started. Safe to call twice. */
  close(): Promise<void>
}

/** None runs and none can be started; the message says why. */
export class NoGateway extends Error {
  override readonly name = 'NoGateway'
}

/**
 * Several programs on one machine each start a server of their own by the same command; one of them serves the state
 * directory and the others ask there. When that one ends, the next request of another finds nobody and starts one.
 */
export function findOrStart(options: FindOrStartOptions): FoundGateway {
  let own: Started | undefined
  const closing = new AbortController()
  const close = async (): Promise<void> => {
    closing.abort()
    const started = own
    own = undefined
    await started?.close()
  }
  return {
    close,
    async find() {
      const waitUntilMs = performance.now() + FIND_BUDGET_MS
      while (performance.now() < waitUntilMs && !closing.signal.aborted) {
        const place = await runningPlace(options)
        if (place !== undefined) return place
        own = (await start(options)) ?? own
        if (own === undefined) await pause(FIND_POLL_MS)
      }
      // It was being started when nobody wanted it any more.
      if (closing.signal.aborted) await close()
      throw new NoGateway(`the gateway of state directory "${options.paths.stateDirectory}" does not come to listen`)
    },
  }
}

async function runningPlace({ paths, env }: FindOrStartOptions): Promise<GatewayPlace | undefined> {
  const folder = paths.stateDirectory
  // Of a gateway that was killed the address stays behind: whoever listens there now must not be sent a token.
  if (!(await isStateLockHeld(folder))) return undefined
  const address = (await readRunningGateway(folder))?.address
  if (address === undefined) return undefined
  const tokens = await readTokenFile(folder)
  const token = env['DRAWBRIDGE_TOKEN'] || (tokens['chat'] ?? tokens['admin'])
  if (token !== undefined) return { address, token }
  throw new NoGateway(`there is no token in "${tokenFile(folder)}"; set DRAWBRIDGE_TOKEN`)
}

interface Started {
  close(): Promise<void>
}

/** Undefined when another holds the state directory, which then comes to listen itself. */
async function start(options: FindOrStartOptions): Promise<Started | undefined> {
  const { paths, env } = options
  if (await isStateLockHeld(paths.stateDirectory)) return undefined
  const loaded = await loadConfig(paths, env)
  if (loaded.kind === 'invalid') {
    throw new NoGateway(loaded.problems.map((problem) => formatProblem(problem, loaded.source)).join('\n'))
  }
  const serveAt = (port?: number): Promise<Served> =>
    serve({
      ...options,
      config: loaded,
      configFile: loaded.source,
      environmentToken: env['DRAWBRIDGE_TOKEN'] || undefined,
      port,
    })
  try {
    // Another program may have the usual port; whoever asks this gateway finds its address in the state directory.
    const served = await serveAt().catch((error: unknown) => {
      if (error instanceof ListenError && error.code === 'address-in-use') return serveAt(0)
      throw error
    })
    const watch = watchApplied(served.gateway, { current: loaded, paths, env })
    return {
      async close() {
        watch.close()
        await served.close()
      },
    }
  } catch (error) {
    if (error instanceof StateError && error.code === 'state-directory-in-use') return undefined
    throw error
  }
}
