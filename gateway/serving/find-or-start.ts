import { setTimeout as pause } from 'node:timers/promises'
import type { GatewayPlace } from '../mcp-server/stdio/gateway-link.ts'
import { readRunningGateway } from '../state/running-gateway.ts'
import { isStateLockHeld } from '../state/state-lock.ts'
import { readTokenFile, tokenFile } from '../state/tokens/token-file.ts'
import { FIND_BUDGET_MS, FIND_POLL_MS } from './limits.ts'
import type { StartedHere, StartHereOptions } from './start-here.ts'

/** The gateway of a state directory, whoever runs it. */
export interface FoundGateway {
  /**
   * Where one serves; where none does, one is started in this process.
   * @throws {NoGateway} when none runs and none can be started
   */
  find(): Promise<GatewayPlace>
  /** Whether one serves now; starts none. */
  isRunning(): Promise<boolean>
  /** Ends the one that this process has started. Safe to call twice. */
  close(): Promise<void>
}

/** None runs and none can be started; the message says why. */
class NoGateway extends Error {
  override readonly name = 'NoGateway'
}

/**
 * Several programs on one machine each start a server of their own by the same command; one of them serves the state
 * directory and the others ask there. When that one ends, the next request of another finds nobody and starts one.
 */
export function findOrStart(options: StartHereOptions): FoundGateway {
  let own: StartedHere | undefined
  const closing = new AbortController()
  const close = async (): Promise<void> => {
    closing.abort()
    const started = own
    own = undefined
    await started?.close()
  }
  return {
    close,
    isRunning: async () => (await runningPlace(options)) !== undefined,
    async find() {
      const waitUntilMs = performance.now() + FIND_BUDGET_MS
      while (performance.now() < waitUntilMs && !closing.signal.aborted) {
        const place = await runningPlace(options)
        if (place !== undefined) return place
        own = (await startHere(options)) ?? own
        if (own === undefined) await pause(FIND_POLL_MS)
      }
      // It was being started when nobody wanted it any more.
      if (closing.signal.aborted) await close()
      throw new NoGateway(`the gateway of state directory "${options.paths.stateDirectory}" does not come to listen`)
    },
  }
}

async function runningPlace({ paths, env }: StartHereOptions): Promise<GatewayPlace | undefined> {
  const folder = paths.stateDirectory
  // Of a gateway that was killed the address stays behind: whoever listens there now must not be sent a token.
  if (!(await isStateLockHeld(folder))) return undefined
  const address = (await readRunningGateway(folder))?.address
  if (address === undefined) return undefined
  const tokens = env['DRAWBRIDGE_TOKEN'] ? {} : await readTokenFile(folder)
  const token = env['DRAWBRIDGE_TOKEN'] || (tokens['chat'] ?? tokens['admin'])
  if (token !== undefined) return { address, token }
  throw new NoGateway(`there is no token in "${tokenFile(folder)}"; set DRAWBRIDGE_TOKEN`)
}

/** Loaded only where it is needed: who asks a gateway that runs starts in a fraction of the time. */
async function startHere(options: StartHereOptions): Promise<StartedHere | undefined> {
  if (await isStateLockHeld(options.paths.stateDirectory)) return undefined
  const module = await import('./start-here.ts')
  const started = await module.startHere(options)
  if (started.kind === 'invalid') throw new NoGateway(started.problems.join('\n'))
  return started.kind === 'started' ? started : undefined
}
