import { existsSync } from 'node:fs'
import type { JsonObject } from '../../../catalog/json.ts'
import { configPaths } from '../../config/config-paths.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import { loadConfig } from '../../config/load-config.ts'
import { readRunningGateway } from '../../state/running-gateway.ts'
import { isStateLockHeld } from '../../state/state-lock.ts'
import { stateDirectoryPath } from '../../state/state-directory-path.ts'
import type { CliDeps } from '../cli-deps.ts'
import { CliFailure } from '../cli-failure.ts'
import { failureOf } from '../commands/failed-answer.ts'
import type { StoreFlags } from '../stopped-store.ts'
import { createGatewayClient } from '../gateway-client.ts'
import { knownFailure } from '../known-failure.ts'

/** What all checks look at. */
export interface Examined {
  readonly deps: CliDeps
  readonly flags: StoreFlags
  readonly stateDirectory: string
  readonly loaded: LoadedConfig
  readonly gateway: GatewayState
}

export type GatewayState =
  | { readonly kind: 'stopped' }
  /** Its own word on what only it can know: `/readyz` and `/v1/catalog`. */
  | {
      readonly kind: 'running'
      readonly ready: JsonObject
      readonly catalog: JsonObject
      /** The file that it read last and does not use; without a name where the one that it serves by is gone. */
      readonly refused?: { readonly file?: string }
    }
  /** Without a fix where the message says one. */
  | { readonly kind: 'mute'; readonly message: string; readonly fix?: string }

/** Reads the configuration with its secrets, and asks a running gateway how it stands. */
export async function examine(flags: StoreFlags, deps: CliDeps): Promise<Examined> {
  const stateDirectory = stateDirectoryPath(flags.stateDir, deps.env)
  const given = flags.config === undefined ? {} : { configFile: flags.config }
  const loaded = await loadConfig(configPaths({ cwd: deps.cwd, env: deps.env, stateDirectory, ...given }), deps.env)
  return { deps, flags, stateDirectory, loaded, gateway: await askGateway(flags, deps) }
}

async function askGateway(flags: StoreFlags, deps: CliDeps): Promise<GatewayState> {
  const client = createGatewayClient(flags.stateDir, deps, 'admin')
  try {
    if (!(await isStateLockHeld(stateDirectoryPath(flags.stateDir, deps.env)))) return { kind: 'stopped' }
    const ready = await client.request({ method: 'GET', path: '/readyz' })
    // A store that fails makes it unready, and the answer says so.
    if (ready.status !== 200 && ready.status !== 503) throw failureOf(ready)
    const catalog = await client.request({ method: 'GET', path: '/v1/catalog' })
    if (catalog.status !== 200) throw failureOf(catalog)
    const refused = await refusedBy(stateDirectoryPath(flags.stateDir, deps.env))
    return {
      kind: 'running',
      ready: ready.body,
      catalog: catalog.body,
      ...(refused && { refused }),
    }
  } catch (error) {
    const fix = 'look into logs/gateway.log of the state directory, and restart the gateway'
    if (error instanceof CliFailure) return { kind: 'mute', message: error.message, fix }
    const failure = knownFailure(error)
    if (failure !== undefined) return { kind: 'mute', message: failure.message }
    throw error
  }
}

/** A file may be valid here and not for the gateway: a reference counts by the environment of its own. */
async function refusedBy(stateDirectory: string): Promise<{ readonly file?: string } | undefined> {
  const { verdict, file } = (await readRunningGateway(stateDirectory))?.config ?? {}
  if (verdict !== 'refused') return undefined
  return file !== undefined && existsSync(file) ? { file } : {}
}
