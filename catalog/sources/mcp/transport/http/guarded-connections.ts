import { Socket } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import { McpConnectError } from '../../errors.ts'
import { IDLE_SOCKET_MS } from '../../limits.ts'
import { connectWords } from './connect-words.ts'
import type { AddressGuard } from './address-guard.ts'

/** Connections to servers, each to an address that was checked; those of a moment ago are used again. */
export interface GuardedConnections {
  /** Absent until they were opened. */
  readonly client: ConnectingClient | undefined
  open(): Promise<ConnectingClient>
  /** Drops all of them, with what is under way on them. */
  close(): void
}

export interface ConnectingClient {
  /** Gives the connection that had to be begun for it: whoever leaves before it stands has to end it. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): Socket | undefined
}

/** The client is loaded with the first request: many gateways have no server over HTTP. */
export function createGuardedConnections({ lookup }: Pick<AddressGuard, 'lookup'>): GuardedConnections {
  let client: (ConnectingClient & { destroy(): void }) | undefined
  return {
    get client() {
      return client
    },
    async open() {
      const { Agent, buildConnector } = await import('undici')
      const connecting = connectingFirst(buildConnector({ lookup, allowH2: false, timeout: 0 }))
      const newAgent = (): Dispatcher =>
        new Agent({
          connect: connecting.connect,
          // Else the first handshake is waited for by all who come after, to learn of what kind it is.
          allowH2: false,
          // How long anything may take is for whoever asks to say: the next event of a stream may be hours away.
          headersTimeout: 0,
          bodyTimeout: 0,
          keepAliveTimeout: IDLE_SOCKET_MS,
          keepAliveMaxTimeout: IDLE_SOCKET_MS,
        })
      client ??= connectingClient(newAgent(), connecting)
      return client
    },
    close() {
      client?.destroy()
      client = undefined
    },
  }
}

interface Connecting {
  readonly connect: buildConnector.connector
  /** Gives the last one that is begun while it runs. */
  readonly during: (run: () => void) => Socket | undefined
  /** Ends all that do not stand yet. */
  readonly end: () => void
}

/** The client knows connections from when they stand. */
function connectingFirst(connect: buildConnector.connector): Connecting {
  const begun = new Set<Socket>()
  let last: Socket | undefined
  return {
    connect: (to, callback) => {
      const socket: unknown = connect(to, (...made) => {
        if (socket instanceof Socket) begun.delete(socket)
        if (made[0] === null) callback(...made)
        else callback(connectFault(to.host ?? to.hostname, made[0]), null)
      })
      if (!(socket instanceof Socket)) return
      begun.add(socket)
      last = socket
    },
    during(run) {
      last = undefined
      run()
      return last
    },
    end() {
      for (const socket of begun) socket.destroy(new Error('no longer wanted'))
    },
  }
}

function connectingClient(agent: Dispatcher, connecting: Connecting): ConnectingClient & { destroy(): void } {
  return {
    // What has no free connection begins one at once.
    dispatch: (request, handler) => connecting.during(() => void agent.dispatch(request, handler)),
    destroy() {
      agent.destroy().catch(() => {
        // What was under way tells of its end itself.
      })
      connecting.end()
    },
  }
}

/** Nothing was sent: whoever called may say so. */
function connectFault(host: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof McpConnectError) return error
  const reason = connectWords(error.code ?? 'no connection')
  return new McpConnectError('unreachable', `cannot connect to ${host}${reason}`, { cause: error })
}
