import type { Dispatcher } from 'undici'
import { McpConnectError } from '../../errors.ts'
import { IDLE_SOCKET_MS } from '../../limits.ts'
import { connectWords } from './connect-words.ts'
import type { AddressGuard } from './address-guard.ts'

/** Connections to servers, each to an address that was checked; those of a moment ago are used again. */
export interface GuardedConnections {
  /** Absent until they were opened. */
  readonly client: Dispatcher | undefined
  open(): Promise<Dispatcher>
  /** Drops all of them, with what is under way on them. */
  close(): void
}

/** The client is loaded with the first request: many gateways have no server over HTTP. */
export function createGuardedConnections({ lookup }: Pick<AddressGuard, 'lookup'>): GuardedConnections {
  let client: Dispatcher | undefined
  return {
    get client() {
      return client
    },
    async open() {
      const { Agent, buildConnector } = await import('undici')
      const connect = buildConnector({ lookup, allowH2: false, timeout: 0 })
      client ??= new Agent({
        connect: (to, callback) =>
          connect(to, (...made) => {
            if (made[0] === null) callback(...made)
            else callback(connectFault(to.host ?? to.hostname, made[0]), null)
          }),
        // How long anything may take is for whoever asks to say: the next event of a stream may be hours away.
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: IDLE_SOCKET_MS,
        keepAliveMaxTimeout: IDLE_SOCKET_MS,
      })
      return client
    },
    close() {
      client?.destroy().catch(() => {
        // What was under way tells of its end itself.
      })
      client = undefined
    },
  }
}

/** Nothing was sent: whoever called may say so. */
function connectFault(host: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof McpConnectError) return error
  const reason = connectWords(error.code ?? 'no connection')
  return new McpConnectError('unreachable', `cannot connect to ${host}${reason}`, { cause: error })
}
