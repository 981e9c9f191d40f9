import { homedir } from 'node:os'
import path from 'node:path'
import type { JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { ConfigProblem } from '../../../config/config-problem.ts'
import { valueAt } from '../../../config/document/config-path.ts'
import type { EditResult } from '../../../config/document/edit-document.ts'
import { setPath } from '../../../config/document/edit-document.ts'
import { parseDocument } from '../../../config/document/parse-document.ts'
import { readConfig } from '../../../config/read-config.ts'
import { hasReference } from '../../../config/secrets/references.ts'
import type { ForeignConfig, ImportedServer } from '../../../mcp-client/import/read-foreign-config.ts'
import { readForeignConfig } from '../../../mcp-client/import/read-foreign-config.ts'
import { isCredentialName, isCredentialValue } from '../../../schema/credential-name.ts'
import { CliFailure } from '../../cli-failure.ts'
import { readServers } from '../../mcp-desk.ts'
import { createOutput, harmless } from '../../output.ts'
import { applyEdit } from '../config/config-edits.ts'
import type { Asked, ConfigFlags } from '../config/config-flags.ts'
import { toldEdit } from '../config/tell-edit.ts'

export interface ImportFlags extends ConfigFlags {
  readonly only?: readonly string[]
  readonly replace?: true
  readonly dryRun?: true
}

interface ImportRequest extends Asked<ImportFlags> {
  readonly file: string
}

export async function importServers(request: ImportRequest): Promise<void> {
  const { flags, deps } = request
  const output = createOutput(deps)
  const found = await readFile(request)
  const { taken, skipped } = await choose(found, request)
  const result = await applyEdit(request, ['mcp', 'servers'], (text) => putAll(text, taken))
  const warnings = [...found.warnings, ...taken.flatMap(plainSecrets)]
  const { report, hint } = await toldEdit(result, ['mcp', 'servers'], request)
  const imported = taken.map(({ name }) => name)
  const all = [...warnings, ...report.warnings]
  if (flags.json) output.json({ ...report, imported, skipped: [...skipped], warnings: all })
  else {
    for (const warning of all) output.note(`warning: ${harmless(warning)}`)
    for (const { name, reason } of skipped) output.note(`skipped ${harmless(name)}: ${harmless(reason)}`)
    const verb = flags.dryRun === true ? 'would import' : 'imported'
    if (imported.length > 0) output.line(`${verb} ${imported.join(', ')} into ${result.file}`)
    if (report.changed) output.line(hint)
  }
  if (imported.length > 0) return
  const isEmpty = skipped.length === 0 && found.servers.length === 0
  throw new CliFailure(1, isEmpty ? `"${request.file}" lists no server` : 'no server was imported')
}

async function readFile({ file, deps }: ImportRequest): Promise<ForeignConfig> {
  const place = path.resolve(deps.cwd, file)
  let text: string
  try {
    text = await deps.readFile(place)
  } catch (error) {
    throw new CliFailure(2, `"${file}" cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const parsed = parseDocument(text)
  if (parsed.kind === 'invalid') throw new CliFailure(2, unreadable(file, parsed.problems))
  const context = { env: deps.env, workspaceFolder: workspaceOf(place), homeFolder: deps.env['HOME'] ?? homedir() }
  const found = readForeignConfig(parsed.document.value, context)
  if (found !== undefined) return found
  throw new CliFailure(2, `"${file}" holds no MCP servers; "mcpServers" or "servers" was expected`)
}

function unreadable(file: string, [problem]: readonly ConfigProblem[]): string {
  const place =
    problem?.position === undefined ? '' : ` at line ${problem.position.line}, column ${problem.position.column}`
  const other = /\.toml$/i.test(file) ? '; TOML is not read here, add its servers with "drawbridge mcp add"' : ''
  return `"${file}" is no JSON${place}: ${problem?.message ?? 'it cannot be read'}${other}`
}

/** `.vscode/mcp.json` and `.cursor/mcp.json` are about the folder around theirs. */
function workspaceOf(file: string): string {
  const folder = path.dirname(file)
  return path.basename(folder).startsWith('.') ? path.dirname(folder) : folder
}

async function choose(found: ForeignConfig, request: ImportRequest) {
  const { only, replace } = request.flags
  const servers = await readServers(request)
  const unknown = only?.find((name) => !found.servers.some((server) => server.name === name))
  if (unknown !== undefined) {
    const names = found.servers.map(({ name }) => name).join(', ')
    throw new CliFailure(2, `"${unknown}" is not among the servers of the file: ${names}`)
  }
  const wanted = found.servers.filter(({ name }) => only?.includes(name) !== false)
  const isFree = ({ name }: ImportedServer): boolean => replace === true || !Object.hasOwn(servers, name)
  const held = wanted.filter((server) => !isFree(server))
  const reason = 'a server of this name is configured already; add --replace to put this one in its place'
  const free = await Promise.all(
    wanted.filter(isFree).map(async (server) => ({ server, fault: await faultOf(server, request) })),
  )
  const faulty = free.flatMap(({ server: { name }, fault }) => (fault === undefined ? [] : [{ name, reason: fault }]))
  const skipped = [...found.skipped, ...held.map(({ name }) => ({ name, reason })), ...faulty]
  return { taken: free.filter(({ fault }) => fault === undefined).map(({ server }) => server), skipped }
}

/** Why this one alone could not be configured: it must not cost the others. */
async function faultOf({ name, config }: ImportedServer, { deps }: ImportRequest): Promise<string | undefined> {
  const alone = JSON.stringify({ mcp: { servers: { [name]: config } } })
  const read = await readConfig(alone, { env: deps.env, directory: deps.cwd, secrets: 'skip' })
  const problems = read.kind === 'invalid' ? read.problems.filter(({ kind }) => kind !== 'reference') : []
  const told = problems.map(({ path: place, message }) => [place.slice(3).join('.'), message].join(' '))
  return told.length === 0 ? undefined : told.join('; ')
}

function putAll(text: string, servers: readonly ImportedServer[]): EditResult {
  const parsed = parseDocument(text.trim() === '' ? '{}' : text)
  // The first ones are written together, as a person would have.
  if (parsed.kind === 'document' && valueAt(parsed.document.value, ['mcp', 'servers']) === undefined) {
    const all = Object.fromEntries(servers.map(({ name, config }) => [name, config]))
    return servers.length === 0 ? { kind: 'unchanged' } : setPath(text, ['mcp', 'servers'], all)
  }
  let result: EditResult = { kind: 'unchanged' }
  let current = text
  for (const { name, config } of servers) {
    const edited = setPath(current, ['mcp', 'servers', name], config)
    if (edited.kind === 'unchanged') continue
    if (edited.kind !== 'edited') return edited
    current = edited.text
    result = edited
  }
  return result
}

/** A secret in a file gets copied, shown and committed. */
function plainSecrets({ name, config }: ImportedServer): readonly string[] {
  const { args } = config
  const words = Array.isArray(args) ? args.filter((word) => typeof word === 'string') : []
  const places = words.some((word) => isCredentialValue(word) && !hasReference(word)) ? ['args'] : []
  const fields = (['env', 'headers'] as const).flatMap((key) =>
    plainFields(config[key]).map((field) => `${key}.${field}`),
  )
  return [...places, ...fields].map(
    (place) => `mcp.servers.${name}.${place} holds a secret as plain text; put a reference like \${NAME} there`,
  )
}

function plainFields(fields: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(fields)) return []
  const plain = Object.entries(fields).filter(([field, value]) => {
    if (typeof value !== 'string' || hasReference(value)) return false
    return isCredentialName(field) || isCredentialValue(value)
  })
  return plain.map(([field]) => field)
}
