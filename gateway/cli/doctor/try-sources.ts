import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { JsonObject } from '../../../catalog/json.ts'
import type { LoginVault } from '../../../catalog/sources/mcp/login/server-login.ts'
import { buildCatalog } from '../../building/build-catalog.ts'
import { buildSources } from '../../building/build-sources.ts'
import { createPluginScope } from '../../../plugins/plugin-scope.ts'
import { catchStrayErrors } from '../../serving/stray-errors.ts'
import type { ResolvedConfig } from '../../config/read-config.ts'
import type { CliDeps } from '../cli-deps.ts'
import { SOURCES_LOOK_MS, SOURCES_WAIT_MS } from '../limits.ts'

export interface SourcesToTry {
  readonly config: ResolvedConfig
  /** Relative paths of plugins and servers start here. */
  readonly directory: string
  readonly logins?: LoginVault
  readonly deps: Pick<CliDeps, 'importModule' | 'now' | 'version'>
}

/** Loads every plugin and connects to every server as the gateway would; what the gateway would say of them then. */
export async function trySources({ config, directory, logins, deps }: SourcesToTry): Promise<JsonObject> {
  const { importModule, version, now } = deps
  const parts = buildCatalog(now)
  const log = pino({ level: 'silent' })
  const mcpClient = logins === undefined ? {} : { logins }
  const scope = createPluginScope()
  const sources = buildSources({
    ...parts,
    mcpClient,
    config: () => config,
    directory,
    importModule,
    asPlugin: scope.asPlugin,
    version,
    log,
    now,
  })
  const stopCatching = catchStrayErrors({
    source: process,
    pluginAtFault: scope.current,
    blame: (plugin, error) => sources.plugins.blame(plugin, error),
    die: (error) => {
      throw error
    },
  })
  sources.start()
  try {
    const servers = Object.keys(config.mcp.servers)
    const settled = Promise.all([sources.plugins.settled(), serversSettle(servers, () => parts.catalog.statuses())])
    const over = new AbortController()
    await Promise.race([settled, sleep(SOURCES_WAIT_MS, undefined, { signal: over.signal })])
    over.abort()
    await Promise.race([sources.trust.settled(), sleep(SOURCES_WAIT_MS, undefined, { ref: false })])
    const found: JsonObject = JSON.parse(
      JSON.stringify({
        sources: parts.catalog.statuses(),
        quarantined: parts.catalog.quarantined(),
        findings: sources.trust.findings(),
        pluginProblems: sources.plugins.problems(),
      }),
    )
    return found
  } finally {
    await Promise.race([sources.close(), sleep(SOURCES_WAIT_MS, undefined, { ref: false })])
    stopCatching()
  }
}

type Statuses = ReturnType<ReturnType<typeof buildCatalog>['catalog']['statuses']>

async function serversSettle(servers: readonly string[], statuses: () => Statuses): Promise<void> {
  const isSettled = (server: string): boolean =>
    statuses().some(({ source, owner, state }) => source === 'mcp' && owner === server && state.kind !== 'connecting')
  const until = Date.now() + SOURCES_WAIT_MS
  while (Date.now() < until && !servers.every(isSettled)) await sleep(SOURCES_LOOK_MS)
}
