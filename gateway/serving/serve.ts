import path from 'node:path'
import { createQueryMemory } from '../../bridge/surface/query-memory.ts'
import { createPluginScope } from '../../plugins/plugin-scope.ts'
import type { Gateway } from '../build-gateway.ts'
import { buildGateway } from '../build-gateway.ts'
import type { ConfigPaths } from '../config/config-paths.ts'
import type { GoodConfig } from '../live-settings.ts'
import { wireToolsBytes } from '../providers/wire-tools.ts'
import { openStateDirectory } from '../state/state-dir.ts'
import { tokenFile } from '../state/tokens/token-file.ts'
import type { BannerFacts } from './banner.ts'
import { PLUGINS_WAIT_MS } from './limits.ts'
import { serveAddress } from './serve-address.ts'
import { catchStrayErrors } from './stray-errors.ts'

export interface ServeOptions {
  readonly config: GoodConfig
  /** Undefined when there is no file. */
  readonly configFile: string | undefined
  readonly paths: ConfigPaths
  /** `--host` and `--port` win over the configuration. */
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly environmentToken?: string | undefined
  readonly importModule: (url: string) => Promise<unknown>
  readonly stderr: { readonly write: (line: string) => unknown }
  readonly version: string
}

export interface Served {
  readonly gateway: Gateway
  readonly url: string
  readonly facts: BannerFacts
  close(): Promise<void>
}

/** Takes the state directory, builds the gateway and listens. */
export async function serve(options: ServeOptions): Promise<Served> {
  const state = await openStateDirectory(options.paths.stateDirectory, { pid: process.pid, nowMs: Date.now() })
  try {
    const directory = path.dirname(options.configFile ?? path.join(state.path, 'drawbridge.json5'))
    const scope = createPluginScope()
    const gateway = await buildGateway({ ...options, state, directory, asPlugin: scope.asPlugin })
    const stopCatching = catchStrayErrors({
      source: process,
      pluginAtFault: scope.current,
      blame: (plugin, error) => gateway.sources.plugins.blame(plugin, error),
      die: (error) => end(gateway, error),
    })
    const close = (): Promise<void> => gateway.close().finally(stopCatching)
    try {
      await Promise.race([gateway.sources.plugins.settled(), waitFor(PLUGINS_WAIT_MS)])
      const { host, port } = options.config.config.gateway
      const url = await serveAddress(gateway.app, { host: options.host ?? host, port: options.port ?? port })
      await state.announce(url)
      gateway.log.info({ url, pid: process.pid, version: options.version }, 'listening')
      return { gateway, url, facts: factsOf(gateway, url, options), close: () => close().finally(() => state.close()) }
    } catch (error) {
      // Why it does not serve is what is told.
      await close().catch(() => undefined)
      throw error
    }
  } catch (error) {
    await state.close()
    throw error
  }
}

function end({ log }: Gateway, error: unknown): void {
  log.fatal({ err: error }, 'an error of the gateway itself that nobody caught; it ends')
  process.exit(1)
}

function factsOf(gateway: Gateway, url: string, options: ServeOptions): BannerFacts {
  const { settings, tokens, sources, catalog } = gateway
  const caller = { tenant: 'default', agent: 'default' }
  const { presentation, figures } = gateway.presenter.present({ caller, clientTools: [], memory: createQueryMemory() })
  const definitions = presentation.definitions()
  const { config } = settings.current()
  const model = config.agents['default']?.model ?? config.models.default
  return {
    version: options.version,
    url,
    stateDirectory: options.paths.stateDirectory,
    configFile: options.configFile,
    chatToken: tokens.made.find(({ record }) => record.name === 'chat')?.token,
    tokenFile: tokenFile(options.paths.stateDirectory),
    hasEnvironmentToken: options.environmentToken !== undefined && options.environmentToken !== '',
    model,
    isScripted: model.startsWith('scripted/'),
    mode: gateway.mode(),
    sources: catalog.statuses(),
    problems: [
      ...[options.config.notice ?? []].flat().map(({ message, fix }) => `${message}; ${fix}`),
      ...sources.plugins.problems().map(({ path: place, reason }) => `${place}: ${reason}`),
    ],
    shown: {
      tools: definitions.length,
      bytes: wireToolsBytes(definitions),
      directTools: figures.directTools,
      directBytes: figures.directBytes,
    },
  }
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
