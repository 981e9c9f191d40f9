import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../json.ts'
import type { Source, SourceSink } from '../../source.ts'
import type { SessionRequest } from './connection/session/session-requests.ts'
import { ServerConnection } from './connection/server-connection.ts'
import type { ServerMemory } from './connection/knowledge/server-memory.ts'
import { createServerMemory, serverIdentity } from './connection/knowledge/server-memory.ts'
import type { McpServerStatus } from './connection/server-status.ts'
import { createSecretFilter } from './journal/secret-filter.ts'
import { createServerJournal } from './journal/server-journal.ts'
import type { McpTiming } from './limits.ts'
import { DEFAULT_TIMING, MESSAGE_MAX_BYTES } from './limits.ts'
import type { McpLog } from './log.ts'
import { createServerAuthorization } from './login/server-authorization.ts'
import type { LoginVault } from './login/server-login.ts'
import type { McpServerConfig } from './server-config.ts'
import { concernsCallsAlone } from './server-config.ts'
import type { ServerWay } from './server-way.ts'
import type { OrphanReaper } from './transport/stdio/orphan-reaper.ts'
import { createOrphanReaper } from './transport/stdio/orphan-reaper.ts'

type McpServers = Readonly<Record<string, McpServerConfig>>

export interface McpSourceOptions {
  readonly servers: McpServers
  readonly log: McpLog
  /** Unix milliseconds. */
  readonly now: () => number
  /** What servers are told of us. */
  readonly clientInfo: { readonly name: string; readonly version: string }
  /** Spreads reconnects; `Math.random` by default. */
  readonly random?: () => number
  /** In memory by default: a restart then knows no tools of servers that are not there yet. */
  readonly memory?: ServerMemory
  /** Where logins are kept; without one nobody can log in. */
  readonly logins?: LoginVault
  /** Addresses and subnets that are never connected to, beside link-local and metadata ones. */
  readonly forbiddenAddresses?: readonly string[]
  readonly timing?: Partial<McpTiming>
  /** One message or HTTP body; 16 MB by default. */
  readonly maxMessageBytes?: number
}

export interface McpSource extends Source {
  /**
   * Applies a new configuration: what is equal, or differs in its waits alone, stays connected; what changed or went is closed
   * first.
   */
  update(servers: McpServers): void
  /** Connects anew, now; false where there is no such server. */
  reconnect(server: string): boolean
  /** How each server stands, in the order of the configuration. */
  status(): readonly McpServerStatus[]
  /**
   * Asks a server for something beside its tools; undefined where it has nothing of the kind, or is not configured.
   * @throws {ToolUnavailable} where it is not connected
   */
  request(server: string, request: SessionRequest, signal: AbortSignal): Promise<JsonObject | undefined>
  /** For connections of others to the same server; undefined where it is not configured, or not so that it can be reached. */
  wayTo(server: string): ServerWay | undefined
}

/** Tools of MCP servers, each kept connected on its own in the background. */
export function createMcpSource(options: McpSourceOptions): McpSource {
  return new McpServerSource(options)
}

interface Entry {
  readonly config: McpServerConfig
  readonly connection: ServerConnection
  readonly way: ServerWay
}

class McpServerSource implements McpSource {
  readonly #options: McpSourceOptions
  readonly #timing: McpTiming
  readonly #memory: ServerMemory
  readonly #reaper: OrphanReaper
  #isReaperMissed = false
  #servers: McpServers
  #entries = new Map<string, Entry>()
  readonly #closing = new Map<string, Promise<void>>()
  #sink: SourceSink | undefined
  #isClosed = false

  constructor(options: McpSourceOptions) {
    this.#options = options
    this.#servers = options.servers
    this.#timing = { ...DEFAULT_TIMING, ...options.timing }
    this.#reaper = createOrphanReaper({ onUnavailable: () => this.#missReaper() })
    this.#memory = options.memory ?? createServerMemory()
  }

  start(sink: SourceSink): void {
    this.#sink = sink
    this.update(this.#servers)
  }

  update(servers: McpServers): void {
    this.#servers = servers
    const sink = this.#sink
    if (sink === undefined || this.#isClosed) return
    for (const [server, entry] of this.#entries) {
      const { config } = entry
      const wanted = servers[server]
      if (isDeepStrictEqual(wanted, config)) continue
      if (wanted !== undefined && concernsCallsAlone(wanted, config)) {
        this.#adjust(server, entry, wanted)
        continue
      }
      this.#drop(server, 'its configuration was changed, or taken away')
      if (wanted === undefined) {
        this.#memory.write(server, undefined)
        sink.removeOwner('mcp', server)
      } else if (serverIdentity(wanted) !== serverIdentity(config)) sink.setTools('mcp', server, [])
    }
    for (const [server, config] of Object.entries(servers)) {
      if (!this.#entries.has(server)) this.#add(server, config, sink)
    }
  }

  reconnect(server: string): boolean {
    const connection = this.#entries.get(server)?.connection
    connection?.reconnect()
    return connection !== undefined
  }

  status(): readonly McpServerStatus[] {
    return Object.keys(this.#servers).flatMap((server) => this.#entries.get(server)?.connection.status() ?? [])
  }

  async request(server: string, request: SessionRequest, signal: AbortSignal): Promise<JsonObject | undefined> {
    return this.#entries.get(server)?.connection.request(request, signal)
  }

  wayTo(server: string): ServerWay | undefined {
    const way = this.#entries.get(server)?.way
    return way?.config.fault === undefined ? way : undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const server of this.#entries.keys()) this.#drop(server, 'the gateway is stopping')
    await Promise.all(this.#closing.values())
    this.#reaper.close()
  }

  #add(server: string, config: McpServerConfig, sink: SourceSink): void {
    const { log, now, random, clientInfo, forbiddenAddresses = [], maxMessageBytes } = this.#options
    const journal = createServerJournal({
      server,
      log,
      now,
      mask:
        config.fault === undefined
          ? createSecretFilter(config, (text) => authorization?.keeper.mask(text) ?? text)
          : // Its secrets are references that were not resolved, which the fault names.
            (text) => text,
    })
    const { logins: vault } = this.#options
    const { warn } = journal
    const authorization = createServerAuthorization({ server, config, vault, forbiddenAddresses, warn, now })
    const way: ServerWay = {
      config,
      timing: this.#timing,
      maxMessageBytes: maxMessageBytes ?? MESSAGE_MAX_BYTES,
      forbiddenAddresses,
      reaper: this.#reaper,
      journal,
      authorize: authorization?.authorize,
    }
    const connection = new ServerConnection({
      ...way,
      server,
      clientInfo,
      authorization,
      memory: this.#memory,
      now,
      random: random ?? Math.random,
      // What a server that was dropped still says must not bring its owner back.
      setTools: (tools) => isCurrent() && sink.setTools('mcp', server, tools),
      taken: () => sink.taken('mcp', server),
      setState: (state) => isCurrent() && sink.setState('mcp', server, state),
    })
    const isCurrent = (): boolean => this.#entries.get(server)?.connection === connection
    this.#entries.set(server, { config, connection, way })
    // Two processes of one server at a time would fight for its files and ports.
    connection.start(this.#closing.get(server) ?? Promise.resolve())
  }

  #adjust(server: string, { connection, way }: Entry, config: McpServerConfig): void {
    this.#entries.set(server, { config, connection, way: { ...way, config } })
    connection.adjust(config)
  }

  #missReaper(): void {
    if (this.#isReaperMissed) return
    this.#isReaperMissed = true
    const message = '/bin/sh cannot be started; servers may outlive a gateway that is killed'
    this.#options.log({ level: 'warn', server: '*', message })
  }

  #drop(server: string, reason: string): void {
    const connection = this.#entries.get(server)?.connection
    if (connection === undefined) return
    this.#entries.delete(server)
    const closing = connection
      .close(reason)
      .catch((error: unknown) => {
        const message = `could not be closed in order: ${error instanceof Error ? error.message : String(error)}`
        this.#options.log({ level: 'warn', server, message })
      })
      .finally(() => {
        if (this.#closing.get(server) === closing) this.#closing.delete(server)
      })
    this.#closing.set(server, closing)
  }
}
