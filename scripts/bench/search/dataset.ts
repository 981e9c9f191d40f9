import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Tool } from '../../../catalog/tool.ts'
import { createTool } from '../../../catalog/tool.ts'

export interface BenchTool {
  readonly tool: Tool
  readonly set: string
}

export interface BenchQuery {
  readonly set: string
  readonly query: string
  /** Tool ids; one hit a group is enough. */
  readonly groups: readonly (readonly string[])[]
}

export interface Dataset {
  readonly tools: readonly BenchTool[]
  readonly queries: readonly BenchQuery[]
  readonly lookups: readonly BenchQuery[]
}

/** Sets that were made of real MCP servers: together they are one catalog. */
const MCP_SETS = new Set(['livemcp', 'livemcp-step', 'agent-mcp', 'docker-mcp', 'github-mcp'])
const SET_CATALOGS: Readonly<Record<string, string>> = { 'bfcl-mt': 'bfcl' }

/** Name of the catalog that a set of queries is asked of in the in-set track. */
export function catalogOfSet(set: string): string {
  return MCP_SETS.has(set) ? 'mcp' : (SET_CATALOGS[set] ?? set)
}

export function readDataset(folder: string): Dataset {
  const ids = new Map<string, string>()
  const tools = readLines(path.join(folder, 'tools.jsonl')).map((line) => {
    const tool = toTool(line)
    ids.set(textOf(line['id']), tool.id)
    return { tool, set: textOf(line['set']) }
  })
  const files = readdirSync(folder).filter((file) => /^queries.*\.jsonl$/.test(file))
  const read = (file: string): BenchQuery[] => readQueries(path.join(folder, file), ids)
  return {
    tools,
    queries: files.filter((file) => !file.includes('lookup')).flatMap(read),
    lookups: files.filter((file) => file.includes('lookup')).flatMap(read),
  }
}

/** Queries of one file, their tools under the ids that the catalog gives them. */
export function readQueries(file: string, ids: ReadonlyMap<string, string>): BenchQuery[] {
  return readLines(file).map((line) => {
    const groups = Array.isArray(line['groups']) ? line['groups'] : listOf(line['relevant']).map((id) => [id])
    return {
      set: textOf(line['set']),
      query: textOf(line['query']),
      groups: groups.map((group) => listOf(group).map((id) => ids.get(textOf(id)) ?? textOf(id))),
    }
  })
}

export function idsByName(folder: string): Map<string, string> {
  return new Map(
    readLines(path.join(folder, 'tools.jsonl')).map((line) => [textOf(line['id']), toTool(line).id] as const),
  )
}

function toTool(line: JsonObject): Tool {
  const owner = textOf(line['source'])
  const name = textOf(line['name'])
  const schema = line['inputSchema']
  const definition = {
    name,
    description: textOf(line['description']),
    inputSchema: isJsonObject(schema) ? schema : { type: 'object' },
  }
  return createTool('mcp', owner, definition)
}

function readLines(file: string): JsonObject[] {
  if (!existsSync(file)) throw new Error(`no file "${file}": name a folder that holds tools.jsonl and queries*.jsonl`)
  const parsed: unknown[] = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
  return parsed.filter(isJsonObject)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
