import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApprovals } from './building/build-approvals.ts'
import { CallerLeft } from '../bridge/parking/caller-left.ts'
import { buildCatalog } from './building/build-catalog.ts'
import type { Server } from './building/build-server.ts'
import { buildServer } from './building/build-server.ts'
import type { Sources } from './building/build-sources.ts'
import { buildSources } from './building/build-sources.ts'
import type { GoodRead, LiveSettings } from './building/live-settings.ts'
import { createLiveSettings } from './building/live-settings.ts'
import { learnFromReceipts } from './building/learn-from-receipts.ts'
import { buildPolicy } from './building/build-policy.ts'
import type { Sandbox } from './building/start-sandbox.ts'
import { startSandbox } from './building/start-sandbox.ts'
import { startChores } from './chores/start-chores.ts'
import { openMcpClient } from './mcp-client/open-mcp-client.ts'
import { openSeal } from './state/seal.ts'
import type { StateDirectory } from './state/state-dir.ts'
import type { Tokens } from './state/tokens.ts'
import { openTokens } from './state/tokens.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import { createLogger } from './telemetry/logger.ts'
import { startTracing } from './telemetry/tracing.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { AsPlugin } from '../plugins/plugin-scope.ts'

export type GoodConfig = GoodRead

export interface GatewayOptions {
  /** Held by this process. */
  readonly state: StateDirectory
  readonly config: GoodConfig
  /** Relative plugin paths and working directories start here: the folder of the configuration file. */
  readonly directory: string
  readonly environmentToken?: string | undefined
  /** `(url) => import(url)`; given by the entry file, since a test runner's import is not Node's. */
  readonly importModule: (url: string) => Promise<unknown>
  /** Where the entry file knows whose error it is that nobody caught. */
  readonly asPlugin?: AsPlugin | undefined
  readonly stderr: { readonly write: (line: string) => unknown }
  readonly version: string
}

export interface Gateway extends Server {
  readonly state: StateDirectory
  readonly app: FastifyInstance
  readonly log: Logger
  readonly tokens: Tokens
  readonly catalog: Catalog
  readonly sources: Sources
  readonly sandbox: Sandbox
  readonly settings: LiveSettings
  readonly store: Store
  /** Applies what can be applied without a restart; in force from the next model step and call. */
  apply(config: GoodConfig): Promise<void>
  /** Ends turns and runs, then closes in reverse order of making. Safe to call twice. */
  close(): Promise<void>
}

/** Everything under way is aborted at once; only a plugin's slow hook or a client that reads slowly takes longer. */
const WORK_END_BUDGET_MS = 5_000

/** The composition root: everything is made here once, and closed here in reverse. */
export async function buildGateway(options: GatewayOptions): Promise<Gateway> {
  const now = Date.now
  const { state, config: first, environmentToken, version } = options
  const settings = createLiveSettings(first, environmentToken)
  const redactText = (text: string): string => settings.redactText(text)
  const log = createLogger({ folder: state.file('logs'), redact: redactText, stderr: options.stderr })
  const tracing = await startTracing(first.config.telemetry.otlp.endpoint, version)
  const store = await openStore(first.config.store.url, state.path)
  const tokens = await openTokens({ store, stateDirectory: state.path, environmentToken, nowMs: now() })
  for (const warning of tokens.warnings) log.warn(warning)
  const parts = buildCatalog(now)
  if (first.config.tools.search.learn) await learnFromReceipts({ store, index: parts.index })
  const seal = await openSeal(state.file('seal.key'))
  const mcpClient = await openMcpClient({
    state,
    seal,
    store,
    redact: (value) => settings.redactShape(value),
    redactText,
    warn: (message) => log.warn(message),
    now,
  })
  const sources = buildSources({ ...options, ...parts, mcpClient, config: () => settings.current().config, log, now })
  const sandbox = await startSandbox(first.config, log)
  const approvals = await buildApprovals({ state, seal, store, settings, schemas: parts.schemas, log, now })
  const closing = new AbortController()
  const common = { settings, state, seal, store, tokens, sources, sandbox, approvals, version, log, now }
  const server = buildServer({ ...parts, ...common, closing: closing.signal })
  const chores = startChores({ ...common, catalog: parts.catalog, server })
  sources.start()
  void server.resumer.resumeAll()

  const closeAll = async (): Promise<void> => {
    closing.abort(new CallerLeft('the gateway is stopping'))
    chores.stop()
    // Before sockets and store are closed under them: each still says how it ended, and that is kept.
    await server.underWay.settled(WORK_END_BUDGET_MS)
    await server.app.close()
    await sources.close()
    await mcpClient.close()
    await sandbox.close()
    await approvals.close()
    await store.close()
    await tracing.close()
  }
  let closingDone: Promise<void> | undefined
  return {
    ...server,
    ...common,
    catalog: parts.catalog,
    async apply(next) {
      settings.replace(next)
      server.views.setPolicy(buildPolicy(next.config, parts.schemas))
      chores.restart()
      await sources.update()
      server.mcp.viewsChanged()
    },
    close: () => (closingDone ??= closeAll()),
  }
}
