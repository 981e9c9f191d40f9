import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { ForeignContext } from './foreign-context.ts'
import { createReferenceReader } from './foreign-references.ts'
import { readForeignServer } from './read-foreign-server.ts'
import { namedAsOff } from './switched-off.ts'

export interface ImportedServer {
  /** As it is called here. */
  readonly name: string
  readonly config: JsonObject
}

export interface ForeignConfig {
  readonly servers: readonly ImportedServer[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  /** What was taken over otherwise than it stands there, or not at all. */
  readonly warnings: readonly string[]
}

/**
 * The MCP servers of another program's configuration: `.mcp.json` and Claude Desktop (`mcpServers`), Cursor, VS Code
 * (`servers` with `inputs`), Claude Code's own file with those of its projects, and what looks like them. Undefined where
 * there are none to be found.
 */
export function readForeignConfig(value: JsonValue, context: ForeignContext): ForeignConfig | undefined {
  const found = findServers(value)
  const ofProjects = findProjectServers(value)
  if (found === undefined && ofProjects.length === 0) return undefined
  const { servers = {}, holder = {} } = found ?? {}
  const warnings: string[] = []
  const warn = (message: string): void => {
    if (!warnings.includes(message)) warnings.push(message)
  }
  const references = createReferenceReader({ ...context, inputs: inputsOf(holder), warn })
  const taken = new Map<string, ImportedServer>()
  const skipped: { readonly name: string; readonly reason: string }[] = []
  for (const { project, name, entry } of ofProjects) {
    if (isDeepStrictEqual(servers[name], entry)) continue
    warn(`server "${shown(name)}" is of project "${shown(project)}" alone there, and of every client here`)
  }
  const isOff = namedAsOff(isJsonObject(value) ? value : {})
  const entries = [
    ...Object.entries(servers).map(([name, entry]): FoundServer => ({ name, entry, isNamedAsOff: isOff(name) })),
    ...ofProjects.map(({ name, entry, isNamedAsOff }): FoundServer => ({ name, entry, isNamedAsOff })),
  ]
  for (const { name: foreignName, entry, isNamedAsOff } of withoutTwins(entries)) {
    const read = readForeignServer(entry, { name: foreignName, isNamedAsOff, references, warn })
    if (read.kind === 'skipped') {
      skipped.push({ name: foreignName, reason: read.reason })
      continue
    }
    const name = freeName(foreignName, taken)
    if (name !== foreignName) warn(`server "${shown(foreignName)}" is called "${name}" here`)
    taken.set(name, { name, config: read.config })
  }
  return { servers: [...taken.values()], skipped, warnings }
}

interface FoundServers {
  readonly servers: JsonObject
  /** Where `inputs` stand, if there are any. */
  readonly holder: JsonObject
}

const KEYS = ['mcpServers', 'servers', 'context_servers'] as const

function findServers(value: JsonValue): FoundServers | undefined {
  if (!isJsonObject(value)) return undefined
  // `mcp` is where VS Code's settings, and we ourselves, have it.
  for (const holder of [value, value['mcp']]) {
    if (!isJsonObject(holder)) continue
    for (const key of KEYS) {
      const servers = byName(holder[key])
      if (servers !== undefined) return { servers, holder }
    }
  }
  // OpenCode has them in `mcp` itself.
  const servers = [value['mcp'], value].filter(isJsonObject).find(areServers) ?? alone(value)
  return servers === undefined ? undefined : { servers, holder: {} }
}

/** Some have them in a list, each with its name. */
function byName(servers: JsonValue | undefined): JsonObject | undefined {
  if (!Array.isArray(servers)) return isJsonObject(servers) ? servers : undefined
  const named = new Map<string, JsonValue>()
  for (const [at, entry] of servers.entries()) {
    const own = isJsonObject(entry) ? entry['name'] : undefined
    let name = typeof own === 'string' ? own : `server-${at + 1}`
    while (named.has(name)) name += '-2'
    named.set(name, entry)
  }
  return named.size === 0 ? undefined : Object.fromEntries(named)
}

/** As pages of servers print it, to be pasted into the rest. */
function alone(value: JsonObject): JsonObject | undefined {
  if (!looksLikeServer(value)) return undefined
  const { name } = value
  return { [typeof name === 'string' ? name : 'server']: value }
}

interface FoundServer {
  readonly name: string
  readonly entry: JsonValue
  readonly isNamedAsOff: boolean
}

interface ProjectServer extends FoundServer {
  readonly project: string
}

/** Where Claude Code keeps what was added without a scope. */
function findProjectServers(value: JsonValue): readonly ProjectServer[] {
  const projects = isJsonObject(value) && isJsonObject(value['projects']) ? value['projects'] : {}
  return Object.entries(projects).flatMap(([project, settings]) => {
    if (!isJsonObject(settings) || !isJsonObject(settings['mcpServers'])) return []
    const isOff = namedAsOff(settings)
    const servers = Object.entries(settings['mcpServers'])
    return servers.map(([name, entry]) => ({ project, name, entry, isNamedAsOff: isOff(name) }))
  })
}

/** The same server may be there for several projects. */
function withoutTwins(entries: readonly FoundServer[]): readonly FoundServer[] {
  return entries.filter((entry, index) => entries.findIndex((each) => isDeepStrictEqual(each, entry)) === index)
}

function areServers(value: JsonObject): boolean {
  const entries = Object.values(value)
  return entries.length > 0 && entries.every((entry) => isJsonObject(entry) && looksLikeServer(entry))
}

function looksLikeServer({ command, url }: JsonObject): boolean {
  return typeof command === 'string' || Array.isArray(command) || typeof url === 'string'
}

/** Descriptions of what VS Code asks for, by id. */
function inputsOf(holder: JsonObject): ReadonlyMap<string, string> {
  const { inputs } = holder
  const entries = Array.isArray(inputs) ? inputs.filter(isJsonObject) : []
  return new Map(
    entries.flatMap(({ id, description }) =>
      typeof id === 'string' ? [[id, typeof description === 'string' ? description : '']] : [],
    ),
  )
}

/** Our names stand in ids and dotted paths; others' may hold anything. */
function freeName(foreign: string, taken: ReadonlyMap<string, unknown>): string {
  const safe = foreign
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+|-+$/g, '')
    .slice(0, 60)
  const base = safe === '' ? 'server' : safe
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`
    if (!taken.has(name)) return name
  }
}

function shown(text: string): string {
  return text.slice(0, 100)
}
