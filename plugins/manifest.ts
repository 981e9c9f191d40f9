import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '../catalog/json.ts'
import { isJsonObject } from '../catalog/json.ts'
import { MANIFEST_MAX_BYTES } from './limits.ts'
import { findPluginIdFault } from './plugin-id.ts'

export const MANIFEST_FILE = 'drawbridge.plugin.json'

/**
 * What `drawbridge.plugin.json` says of a plugin without running it. Everything it declares is checked against what the
 * plugin then registers.
 */
export interface PluginManifest {
  readonly id: string
  /** Entry file, relative to the manifest's folder and inside it. */
  readonly entry?: string
  readonly name?: string
  readonly description?: string
  /** Checked before any code of the plugin runs. */
  readonly configSchema?: JsonObject
  /** Names of all tools it registers; a tool that is not listed is left out. Absent means undeclared: any. */
  readonly tools?: readonly string[]
  /** Those of its tools that are only there when an allow list names them. */
  readonly optionalTools?: readonly string[]
}

export type ManifestReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly manifest: PluginManifest }
  | { readonly kind: 'broken'; readonly reason: string }

/** Reads the manifest of a folder, if it has one. */
export async function readManifest(folder: string): Promise<ManifestReading> {
  const file = path.join(folder, MANIFEST_FILE)
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return { kind: 'none' }
  if (found.size > MANIFEST_MAX_BYTES) {
    return { kind: 'broken', reason: `${MANIFEST_FILE} has ${found.size} bytes, more than ${MANIFEST_MAX_BYTES}` }
  }
  try {
    return parseManifest(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    return { kind: 'broken', reason: `${MANIFEST_FILE} cannot be read: ${String(error)}` }
  }
}

function parseManifest(value: unknown): ManifestReading {
  if (!isJsonObject(value)) return { kind: 'broken', reason: `${MANIFEST_FILE} is not a JSON object` }
  const fault = findFault(value)
  if (fault !== undefined) return { kind: 'broken', reason: `${MANIFEST_FILE}: ${fault}` }
  const { $schema: _schema, ...manifest } = value
  return isManifest(manifest) ? { kind: 'read', manifest } : { kind: 'broken', reason: `${MANIFEST_FILE}: unreadable` }
}

type Check = (value: unknown) => string | undefined

const CHECKS: Readonly<Record<string, Check>> = {
  $schema: checkText,
  id: findPluginIdFault,
  entry: checkEntry,
  name: checkText,
  description: checkText,
  configSchema: (value) => (isJsonObject(value) ? undefined : 'is not a JSON Schema object'),
  tools: checkNames,
  optionalTools: checkNames,
}

function findFault(value: JsonObject): string | undefined {
  const idFault = findPluginIdFault(value['id'])
  if (idFault !== undefined) return idFault
  for (const [key, field] of Object.entries(value)) {
    const check = CHECKS[key]
    if (check === undefined) return `unknown field "${key}"; known are ${Object.keys(CHECKS).join(', ')}`
    const fault = check(field)
    if (fault !== undefined) return `"${key}" ${fault}`
  }
  const declared = value['tools']
  const optional = value['optionalTools']
  if (!Array.isArray(declared) || !Array.isArray(optional)) return undefined
  const stray = optional.find((name) => !declared.includes(name))
  return stray === undefined ? undefined : `"optionalTools" names "${String(stray)}", which is not among "tools"`
}

function checkText(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'is not a string'
}

function checkEntry(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return 'is not a file name'
  // The manifest speaks for its own folder: an entry elsewhere could not be reviewed with it.
  const relative = path.normalize(value)
  if (path.isAbsolute(value) || relative.startsWith('..')) return `is ${JSON.stringify(value)}, outside of its folder`
  return undefined
}

function checkNames(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.some((name) => typeof name !== 'string')) return 'is not a list of tool names'
  const twice = value.find((name, at) => value.indexOf(name) !== at)
  return twice === undefined ? undefined : `names "${String(twice)}" twice`
}

/** The checks above have run: what remains is to tell the compiler. */
function isManifest(value: object): value is PluginManifest {
  return 'id' in value
}
