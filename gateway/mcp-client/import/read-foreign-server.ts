import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { ForeignCommand } from './foreign-command.ts'
import { readForeignCommand } from './foreign-command.ts'
import type { ReferenceReader } from './foreign-references.ts'
import { isSwitchedOff } from './switched-off.ts'

export type ForeignServer =
  | { readonly kind: 'read'; readonly config: JsonObject }
  | { readonly kind: 'skipped'; readonly reason: string }

export interface ForeignServerDeps {
  readonly name: string
  /** Beside the servers it is said not to be used. */
  readonly isNamedAsOff: boolean
  readonly references: ReferenceReader
  readonly warn: (message: string) => void
}

/** Transports that are found out here by asking the server. */
const KNOWN_TYPES = new Set([
  'stdio',
  'http',
  'sse',
  'streamable-http',
  'streamablehttp',
  'streamable_http',
  'local',
  'remote',
])

/** Who says there what a model may call has to say it here again, or it may call more than before. */
const TOOL_LISTS = new Set(['disabledTools', 'excludeTools', 'includeTools', 'enabledTools', 'tools'])

/** Said nowhere, because nothing is lost with them. */
const SILENT_KEYS = new Set([
  'type',
  'transport',
  'transportType',
  'disabled',
  'enabled',
  'isActive',
  'name',
  'description',
])

const ADDRESSES = ['url', 'serverUrl', 'httpUrl', 'baseUrl', 'uri'] as const

/** One server of another program's configuration in our own form. */
export function readForeignServer(written: JsonValue, deps: ForeignServerDeps): ForeignServer {
  if (!isJsonObject(written)) return skipped('it is no object')
  const entry = withoutFolds(written)
  // Of what is folded both may say so.
  if (deps.isNamedAsOff || isSwitchedOff(written) || isSwitchedOff(entry)) return skipped('it is switched off there')
  const type = [entry['type'], entry['transport'], entry['transportType']].find((each) => typeof each === 'string')
  if (typeof type === 'string' && !KNOWN_TYPES.has(type.toLowerCase())) {
    return skipped(`transport "${type.slice(0, 40)}" is not supported`)
  }
  const url = ADDRESSES.map((key) => entry[key]).find((each) => typeof each === 'string')
  const command = readForeignCommand(entry, (message) => deps.warn(`${deps.name}: ${message}`))
  if (command.kind === 'words') return readStdio(entry, command, deps)
  if (command.kind === 'wrong') return skipped(command.reason)
  if (typeof url === 'string' && url !== '') return readHttp(entry, url, deps)
  return skipped('it has neither a command nor a url')
}

/** Zed has a program with all of its own under `command`. */
function withoutFolds(entry: JsonObject): JsonObject {
  const { command, ...rest } = entry
  if (!isJsonObject(command) || typeof command['path'] !== 'string') return entry
  const { path, ...own } = command
  return { ...rest, ...own, command: path }
}

function readStdio(entry: JsonObject, { command, args }: ForeignCommand, deps: ForeignServerDeps): ForeignServer {
  const { read } = deps.references
  const { env, environment, cwd } = entry
  warnOfRest(entry, ['command', 'args', 'env', 'environment', 'cwd'], deps)
  return {
    kind: 'read',
    config: {
      command: read(command),
      ...(args.length > 0 && { args: args.map(read) }),
      ...textMap('env', env ?? environment, deps),
      ...(typeof cwd === 'string' && cwd !== '' && { cwd: read(cwd) }),
    },
  }
}

function readHttp(entry: JsonObject, url: string, deps: ForeignServerDeps): ForeignServer {
  const { read } = deps.references
  const { headers, requestInit } = entry
  warnOfRest(entry, [...ADDRESSES, 'headers', 'oauth', 'auth', 'requestInit'], deps)
  const own = headers ?? (isJsonObject(requestInit) ? requestInit['headers'] : undefined)
  const oauth = readLogin(entry)
  return {
    kind: 'read',
    config: {
      // Schemes are in any case; ours are written small.
      url: read(url.trim().replace(/^https?:/i, (scheme) => scheme.toLowerCase())),
      ...textMap('headers', own, deps),
      ...(Object.keys(oauth).length > 0 && { oauth: mapTexts(oauth, read) }),
    },
  }
}

/** `oauth` of Claude Code, `auth` of Cursor. */
function readLogin({ oauth, auth }: JsonObject): JsonObject {
  const [claude, cursor] = [isJsonObject(oauth) ? oauth : {}, isJsonObject(auth) ? auth : {}]
  const { CLIENT_ID, CLIENT_SECRET, scopes } = cursor
  const found: JsonObject = {
    clientId: claude['clientId'] ?? CLIENT_ID ?? null,
    clientSecret: claude['clientSecret'] ?? CLIENT_SECRET ?? null,
    scope: claude['scope'] ?? claude['scopes'] ?? scopes ?? null,
    callbackPort: claude['callbackPort'] ?? null,
  }
  const entries = Object.entries(found).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] => {
    if (key === 'callbackPort') return typeof value === 'number' ? [[key, value]] : []
    const text = Array.isArray(value) ? value.join(' ') : value
    return typeof text === 'string' && text !== '' ? [[key, text]] : []
  })
  return Object.fromEntries(entries)
}

function mapTexts(values: JsonObject, read: (text: string) => string): JsonObject {
  const entries = Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? read(value) : value])
  return Object.fromEntries(entries)
}

/** Numbers and switches are texts in an environment. */
function textMap(key: 'env' | 'headers', value: JsonValue | undefined, deps: ForeignServerDeps): JsonObject {
  if (value === undefined || value === null) return {}
  const entries = isJsonObject(value) ? Object.entries(value) : listedEntries(value)
  if (entries === undefined) {
    deps.warn(`${deps.name}: ${key} is neither an object nor a list of names with their values and was left out`)
    return {}
  }
  const texts: Record<string, string> = {}
  for (const [name, item] of entries) {
    if (isScalar(item)) texts[name] = deps.references.read(String(item))
    else deps.warn(`${deps.name}: ${key}.${name} is no text and was left out`)
  }
  return Object.keys(texts).length === 0 ? {} : { [key]: texts }
}

/** `A=1` as Docker has it, `{ name, value }` as the registry and ACP do; undefined where one is neither. */
function listedEntries(value: JsonValue): readonly (readonly [string, JsonValue])[] | undefined {
  if (!Array.isArray(value)) return undefined
  const entries = value.map((item): readonly [string, JsonValue] | undefined => {
    const [, before, after] = typeof item === 'string' ? (/^([^=\s]+)=([^]*)$/.exec(item) ?? []) : []
    if (before !== undefined && after !== undefined) return [before, after]
    return isJsonObject(item) && typeof item['name'] === 'string' ? [item['name'], item['value'] ?? null] : undefined
  })
  const read = entries.filter((entry) => entry !== undefined)
  return read.length === entries.length ? read : undefined
}

function warnOfRest(entry: JsonObject, known: readonly string[], { name, warn }: ForeignServerDeps): void {
  for (const key of Object.keys(entry)) {
    if (known.includes(key) || SILENT_KEYS.has(key)) continue
    const advice = TOOL_LISTS.has(key) ? '; what a model may call is said in tools.allow and tools.deny here' : ''
    warn(`${name}: "${key.slice(0, 60)}" is not known here and was left out${advice}`)
  }
}

function isScalar(value: JsonValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function skipped(reason: string): ForeignServer {
  return { kind: 'skipped', reason }
}
