import { readFileSync } from 'node:fs'
import { isJsonObject } from '../../catalog/json.ts'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { normalNames } from '../../catalog/sources/mcp/trust/lexicon/subject.ts'
import type { ScreenedTool } from '../../catalog/sources/mcp/trust/screen-tool.ts'

/** A tool with what it is known to be. */
export interface LabelledTool {
  readonly id: string
  readonly isMalicious: boolean
  readonly category: string
  /** Which part of the data it comes from. */
  readonly set: string
  /** Whose tool it is; tools of one server know each other. */
  readonly server: string
  readonly tool: ScreenedTool
}

/** One JSON object a line: `{ id, label: "malicious" | "benign", category, set?, tool: { name, description, … } }`. */
export function readLabelledTools(file: string, set: string): readonly LabelledTool[] {
  return readLines(file).map((line) => {
    const { tool } = line
    if (!isJsonObject(tool)) throw new TypeError(`${file}: an entry has no tool`)
    return {
      id: textOf(line['id']),
      isMalicious: line['label'] === 'malicious',
      category: textOf(line['category']),
      set: line['set'] === undefined ? set : textOf(line['set']),
      server: textOf(line['server']),
      tool: screenedTool(tool),
    }
  })
}

/** Tools that are taken for benign: `{ id, set, name, description, inputSchema }` a line. */
export function readBenignTools(file: string): readonly LabelledTool[] {
  return readLines(file).map((line) => ({
    id: textOf(line['id']),
    isMalicious: false,
    category: textOf(line['set']),
    set: 'catalog',
    server: textOf(line['id']).split('/')[0] ?? '',
    tool: screenedTool(line),
  }))
}

/** The names of each tool's server, as the product knows them when it screens the tool. A tool of no server is alone. */
export function siblingNames(tools: readonly LabelledTool[]): (tool: LabelledTool) => ReadonlySet<string> {
  const byServer = Map.groupBy(tools, ({ set, server }) => `${set} ${server}`)
  const names = new Map(
    [...byServer].map(([key, some]) => [key, normalNames(some.map(({ tool }) => tool.name))] as const),
  )
  return ({ set, server }) => (server === '' ? new Set() : (names.get(`${set} ${server}`) ?? new Set()))
}

function screenedTool({ name, title, description, inputSchema, outputSchema }: JsonObject): ScreenedTool {
  return {
    name: textOf(name),
    ...(typeof title === 'string' && { title }),
    description: textOf(description),
    ...(isJsonObject(inputSchema) && { inputSchema }),
    ...(isJsonObject(outputSchema) && { outputSchema }),
  }
}

function readLines(file: string): readonly JsonObject[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line): JsonObject => JSON.parse(line))
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
