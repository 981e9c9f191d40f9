import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import type { JsonObject } from '../../catalog/json.ts'
import type { McpLogEntry } from '../../catalog/sources/mcp/log.ts'
import type { McpSource, McpSourceOptions } from '../../catalog/sources/mcp/mcp-source.ts'
import { createMcpSource } from '../../catalog/sources/mcp/mcp-source.ts'
import type { McpServerConfig } from '../../catalog/sources/mcp/server-config.ts'
import type { ToolPins } from '../../catalog/sources/mcp/trust/pins/tool-pins.ts'
import { createToolPins } from '../../catalog/sources/mcp/trust/pins/tool-pins.ts'
import type { TrustGate } from '../../catalog/sources/mcp/trust/trust-gate.ts'
import type { TrustRules } from '../../catalog/sources/mcp/trust/trust-rules.ts'
import { createTrustGate } from '../../catalog/sources/mcp/trust/trust-gate.ts'
import { createDemoPlugin } from '../../plugins/bundled/demo/demo.ts'
import type { PluginHost } from '../../plugins/host.ts'
import { createPluginHost } from '../../plugins/host.ts'
import type { EntryWatch } from '../../plugins/loading/entry-watch.ts'
import { watchEntries } from '../../plugins/loading/entry-watch.ts'
import type { AsPlugin } from '../../plugins/plugin-scope.ts'
import type { PluginSettings } from '../../plugins/loading/plugin-settings.ts'
import { isOptionalToolNamed } from '../../policy/optional-tools.ts'
import type { ToolIdentity } from '../../policy/subject.ts'
import { ownerOf } from '../config/checking/known-tools.ts'
import type { ResolvedConfig } from '../config/read-config.ts'
import type { ServerLogs } from '../mcp-client/server-logs.ts'
import type { CatalogParts } from './build-catalog.ts'

export interface SourcesDeps extends CatalogParts {
  readonly config: () => ResolvedConfig
  /** Relative plugin paths and working directories start here. */
  readonly directory: string
  readonly importModule: (url: string) => Promise<unknown>
  readonly asPlugin?: AsPlugin | undefined
  readonly version: string
  /** Absent where nothing is to be kept. */
  readonly mcpClient?: Pick<McpSourceOptions, 'memory' | 'logins'> & {
    readonly logs?: Pick<ServerLogs, 'write'>
    readonly pins?: ToolPins
  }
  readonly log: Logger
  readonly now: () => number
}

export interface Sources {
  readonly plugins: PluginHost
  readonly mcp: McpSource
  readonly trust: TrustGate
  readonly pins: ToolPins
  start(): void
  /** Brings both in line with the configuration of this moment. */
  update(): Promise<void>
  close(): Promise<void>
}

export function buildSources(deps: SourcesDeps): Sources {
  const { config, directory, log, now, schemas, work } = deps
  const settings = (): PluginSettings => pluginSettings(config(), directory)
  const plugins = createPluginHost(settings(), {
    bundled: [createDemoPlugin(now)],
    importModule: deps.importModule,
    ...(deps.asPlugin && { asPlugin: deps.asPlugin }),
    schemas,
    isOptionalToolAllowed: (id) => isOptionalToolNamed(config(), identityOf(id)),
    logFor: (plugin) => pluginLog(log.child({ plugin })),
    now,
  })
  const { memory, logins, logs, pins = createToolPins() } = deps.mcpClient ?? {}
  const trust = buildTrust(deps, pins)
  const mcp = createMcpSource({
    servers: mcpServers(config(), directory),
    log: (entry) => logMcp(entry, { log, logs }),
    now,
    clientInfo: { name: 'drawbridge', version: deps.version },
    forbiddenAddresses: config().mcp.forbiddenAddresses,
    maxMessageBytes: config().mcp.maxMessageBytes,
    ...(memory && { memory }),
    ...(logins && { logins }),
  })
  let watch: EntryWatch | undefined
  return {
    plugins,
    mcp,
    trust,
    pins,
    start() {
      plugins.start(trust.sink)
      mcp.start(trust.sink)
      watch = watchEntries({
        paths: () => settings().paths,
        changedImports: (entries) => plugins.changedImports(entries),
        onChange: () => {
          log.info('files of plugins have changed and are loaded anew')
          void plugins.update(settings())
        },
      })
    },
    async update() {
      mcp.update(mcpServers(config(), directory))
      trust.update()
      await Promise.all([plugins.update(settings()), watch?.renew()])
    },
    async close() {
      watch?.close()
      work.close()
      trust.close()
      await Promise.all([mcp.close(), plugins.close()])
    },
  }
}

function buildTrust({ catalog, config, log, now, work }: SourcesDeps, pins: ToolPins): TrustGate {
  return createTrustGate({
    sink: catalog,
    pins,
    rules: () => trustRules(config()),
    now,
    work,
    warn: (server, message) => log.warn({ mcp: server }, message),
  })
}

function pluginSettings({ plugins }: ResolvedConfig, directory: string): PluginSettings {
  return {
    paths: plugins.paths.map((place) => path.resolve(directory, place)),
    // Plain JSON by the configuration's schema.
    entries: plugins.entries,
  }
}

/** As the source takes them: what the gate goes by is no reason to connect anew. */
function mcpServers({ mcp }: ResolvedConfig, directory: string): Readonly<Record<string, McpServerConfig>> {
  const entries = Object.entries(mcp.servers).map(([name, { trust: _trust, ...server }]) => {
    const roots = server.roots && { roots: server.roots.map((root) => rootAddress(root, directory)) }
    const cwd = 'command' in server && server.cwd !== undefined && { cwd: path.resolve(directory, server.cwd) }
    const fault = mcp.faults?.[name]
    return [name, { ...server, ...roots, ...cwd, ...(fault !== undefined && { fault }) }] as const
  })
  return Object.fromEntries(entries)
}

function rootAddress(root: string, directory: string): string {
  return root.startsWith('file:') ? root : pathToFileURL(path.resolve(directory, root)).href
}

function trustRules({ mcp }: ResolvedConfig): TrustRules {
  return { screening: mcp.screening, trustOf: (server) => mcp.servers[server]?.trust ?? 'pin' }
}

/** A plugin's tool by its id, before it is one. */
function identityOf(id: string): ToolIdentity {
  return { id, name: id.slice(id.lastIndexOf(':') + 1), ...ownerOf(id), annotations: {} }
}

function pluginLog(
  log: Logger,
): Record<'debug' | 'info' | 'warn' | 'error', (message: string, fields?: JsonObject) => void> {
  return {
    debug: (message, fields = {}) => log.debug(fields, message),
    info: (message, fields = {}) => log.info(fields, message),
    warn: (message, fields = {}) => log.warn(fields, message),
    error: (message, fields = {}) => log.error(fields, message),
  }
}

interface McpLogs {
  readonly log: Logger
  /** A server's own chatter has a file of its own; else it is in the log with the rest. */
  readonly logs: Pick<ServerLogs, 'write'> | undefined
}

function logMcp({ level, server, message, stream }: McpLogEntry, { log, logs }: McpLogs): void {
  if (stream === undefined) log[level]({ mcp: server }, message)
  else if (logs !== undefined) logs.write(server, message)
  else log.info({ mcp: server, stream }, message)
}
