import { access, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { LoginVault } from '../../catalog/sources/mcp/login/server-login.ts'
import type { McpServerConfig } from '../../catalog/sources/mcp/server-config.ts'
import { findConfigFile } from '../config/config-paths.ts'
import { parseDocument } from '../config/document/parse-document.ts'
import type { ResolvedConfig } from '../config/read-config.ts'
import { readConfig } from '../config/read-config.ts'
import { createLoginVault } from '../mcp-client/login-vault.ts'
import { openSeal } from '../state/seal.ts'
import { isStateLockHeld, takeStateLock } from '../state/state-lock.ts'
import { stateDirectoryPath } from '../state/state-directory-path.ts'
import type { CliDeps } from './cli-deps.ts'
import { CliFailure } from './cli-failure.ts'
import type { Asked, ConfigFlags } from './commands/config/config-flags.ts'
import { configPathsOf, invalidConfig } from './commands/config/config-flags.ts'
import { failureOf, objectsOf } from './commands/failed-answer.ts'
import { createGatewayClient } from './gateway-client.ts'

export interface ConfiguredServer {
  readonly name: string
  /** Resolved; its working directory too. */
  readonly config: McpServerConfig
  readonly mcp: ResolvedConfig['mcp']
}

/** The `mcp.servers` of the file as they are written; empty where there is no file. */
export async function readServers({ flags, deps }: Asked<ConfigFlags>): Promise<JsonObject> {
  const { servers } = await readMcp({ flags, deps })
  return isJsonObject(servers) ? servers : {}
}

/**
 * One server of the file, ready to be connected to. Only it is resolved: another's secret that this shell does not have
 * is no reason to fail.
 * @throws {CliFailure} when it is not configured, or wrongly
 */
export async function loadServer(name: string, asked: Asked<ConfigFlags>): Promise<ConfiguredServer> {
  const mcp = await readMcp(asked)
  const servers = isJsonObject(mcp['servers']) ? mcp['servers'] : {}
  const written = Object.hasOwn(servers, name) ? servers[name] : undefined
  if (written === undefined) throw notConfigured(name, Object.keys(servers))
  const file = await findConfigFile(configPathsOf(asked.flags, asked.deps))
  const directory = path.dirname(file ?? asked.deps.cwd)
  const alone = JSON.stringify({ mcp: { ...mcp, servers: { [name]: written } } })
  const read = await readConfig(alone, { env: asked.deps.env, directory })
  const problems = read.kind === 'invalid' ? read.problems : read.unresolved
  // Without places: they are of a text that is in no file.
  const placeless = problems.map(({ position: _position, ...problem }) => problem)
  if (read.kind === 'invalid' || placeless.length > 0) throw invalidConfig(placeless, file)
  const found = read.config.mcp.servers[name]
  if (found === undefined) throw new CliFailure(1, `MCP server "${name}" is not configured`)
  const hasFolder = 'command' in found && found.cwd !== undefined
  const config = hasFolder ? { ...found, cwd: path.resolve(directory, found.cwd ?? '') } : found
  return { name, config, mcp: read.config.mcp }
}

export function notConfigured(name: string, names: readonly string[]): CliFailure {
  const known = names.length === 0 ? 'none is' : `there are ${names.join(', ')}`
  return new CliFailure(1, `MCP server "${name}" is not configured; ${known}`)
}

/** The logins of a state directory where there may be some; makes nothing. */
export async function findLoginVault(stateDir: string | undefined, deps: CliDeps): Promise<LoginVault | undefined> {
  const folder = stateDirectoryPath(stateDir, deps.env)
  const keyFile = path.join(folder, 'seal.key')
  return (await isThere(keyFile)) ? createLoginVault(folder, await openSeal(keyFile)) : undefined
}

/** The logins of a state directory, whether a gateway runs there or not. */
export async function openLoginVault(stateDir: string | undefined, deps: CliDeps): Promise<LoginVault> {
  const folder = stateDirectoryPath(stateDir, deps.env)
  const found = await findLoginVault(stateDir, deps)
  if (found !== undefined) return found
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const keyFile = path.join(folder, 'seal.key')
  // Two keys made at once would leave one of the two without what it sealed.
  const lock = await takeStateLock(folder)
  if (!lock) throw new CliFailure(1, `the gateway of state directory "${folder}" is still starting; try again`)
  try {
    return createLoginVault(folder, await openSeal(keyFile))
  } finally {
    lock.release()
  }
}

/** How the running gateway says that its servers stand; undefined where none runs. */
export async function readStatuses(
  stateDir: string | undefined,
  deps: CliDeps,
): Promise<readonly JsonObject[] | undefined> {
  if (!(await isStateLockHeld(stateDirectoryPath(stateDir, deps.env)))) return undefined
  const client = createGatewayClient(stateDir, deps, 'admin')
  const answer = await client.request({ method: 'GET', path: '/v1/mcp/servers' })
  if (answer.status !== 200) throw failureOf(answer)
  return objectsOf(answer.body['servers'])
}

/** Has the running gateway connect anew; false where none runs, or it does not have this server yet. */
export async function reconnectServer(
  name: string,
  { flags, deps }: Asked<Pick<ConfigFlags, 'stateDir'>>,
): Promise<boolean> {
  if (!(await isStateLockHeld(stateDirectoryPath(flags.stateDir, deps.env)))) return false
  const client = createGatewayClient(flags.stateDir, deps, 'admin')
  const answer = await client.request({
    method: 'POST',
    path: `/v1/mcp/servers/${encodeURIComponent(name)}/reconnect`,
  })
  if (answer.status === 404) return false
  if (answer.status !== 200) throw failureOf(answer)
  return true
}

async function readMcp({ flags, deps }: Asked<ConfigFlags>): Promise<JsonObject> {
  const file = await findConfigFile(configPathsOf(flags, deps))
  if (file === undefined) return {}
  const parsed = parseDocument(await deps.readFile(file))
  if (parsed.kind === 'invalid') throw invalidConfig(parsed.problems, file)
  const { value } = parsed.document
  const mcp: JsonValue | undefined = isJsonObject(value) ? value['mcp'] : undefined
  return isJsonObject(mcp) ? mcp : {}
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch {
    // Absent, or out of reach, which opening it will tell.
    return false
  }
}
