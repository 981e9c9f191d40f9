import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { CallerLeft } from '../bridge/parking/caller-left.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { AsPlugin } from '../plugins/plugin-scope.ts'
import { buildApprovals } from './building/build-approvals.ts'
import { buildCatalog } from './building/build-catalog.ts'
import { buildPolicy } from './building/build-policy.ts'
import type { Server } from './building/build-server.ts'
import { buildServer } from './building/build-server.ts'
import type { Sources } from './building/build-sources.ts'
import { buildSources } from './building/build-sources.ts'
import type { Sandbox } from './building/start-sandbox.ts'
import { startSandbox } from './building/start-sandbox.ts'
import { learnFromReceipts } from './chores/learn-from-receipts.ts'
import { startChores } from './chores/start-chores.ts'
import type { GoodConfig, LiveSettings } from './live-settings.ts'
import { createLiveSettings } from './live-settings.ts'
import { openMcpClient } from './mcp-client/open-mcp-client.ts'
import { openSeal } from './state/seal.ts'
import type { StateDirectory } from './state/state-dir.ts'
import type { Tokens } from './state/tokens/tokens.ts'
import { openTokens } from './state/tokens/tokens.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import { createLogger } from './telemetry/logger.ts'
import { startTracing } from './telemetry/tracing.ts'

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
  /**
   * Ends turns and runs, then closes in reverse order of making; one part that fails to close keeps no other open, and is
   * what this rejects with. Safe to call twice.
   */
  close(): Promise<void>
}

/** Everything under way is aborted at once; only a plugin's slow hook or a client that reads slowly takes longer. */
const WORK_END_BUDGET_MS = 5_000

/** The composition root: everything is made here once, and closed in reverse, also where something after it cannot be made. */
export async function buildGateway(options: GatewayOptions): Promise<Gateway> {
  const made = new AsyncDisposableStack()
  try {
    return await build(options, made)
  } catch (error) {
    // Why it cannot be made is what is told, whatever becomes of the rest.
    await made.disposeAsync().catch(() => undefined)
    throw error
  }
}

async function build(options: GatewayOptions, made: AsyncDisposableStack): Promise<Gateway> {
  const now = Date.now
  const { state, config: first, environmentToken, version } = options
  const settings = createLiveSettings(first, environmentToken)
  const redactText = (text: string): string => settings.redactText(text)
  const log = createLogger({ folder: state.file('logs'), redact: redactText, stderr: options.stderr })
  closeWith(made, await startTracing(first.config.telemetry.otlp.endpoint, version))
  const store = closeWith(made, await openStore(first.config.store.url, state.path))
  const tokens = await openTokens({ store, stateDirectory: state.path, environmentToken, nowMs: now() })
  for (const warning of tokens.warnings) log.warn(warning)
  const parts = buildCatalog(now)
  if (first.config.tools.search.learn) await learnFromReceipts({ store, index: parts.index })
  const seal = await openSeal(state.file('seal.key'))
  const mcpClient = closeWith(
    made,
    await openMcpClient({
      state,
      seal,
      store,
      redact: (value) => settings.redactShape(value),
      redactText,
      warn: (message) => log.warn(message),
      now,
    }),
  )
  const config = () => settings.current().config
  const sources = closeWith(made, buildSources({ ...options, ...parts, mcpClient, config, log, now }))
  const sandbox = closeWith(made, await startSandbox(first.config, log))
  const approvals = closeWith(
    made,
    await buildApprovals({ state, seal, store, settings, schemas: parts.schemas, log, now }),
  )
  const closing = new AbortController()
  const common = { settings, state, seal, store, tokens, sources, sandbox, approvals, version, log, now }
  const server = buildServer({ ...parts, ...common, closing: closing.signal })
  made.defer(() => server.app.close())
  // Before sockets and store are closed under them: each still says how it ended, and that is kept.
  made.defer(() => server.underWay.settled(WORK_END_BUDGET_MS))
  made.defer(() => closing.abort(new CallerLeft('the gateway is stopping')))
  const chores = startChores({ ...common, catalog: parts.catalog, server })
  made.defer(() => chores.stop())
  sources.start()
  void server.resumer.resumeAll()

  let closed: Promise<void> | undefined
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
    close: () => (closed ??= made.disposeAsync()),
  }
}

function closeWith<Part extends { close(): Promise<void> }>(made: AsyncDisposableStack, part: Part): Part {
  made.defer(() => part.close())
  return part
}
