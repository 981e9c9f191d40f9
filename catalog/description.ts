import type { JsonObject } from './json.ts'
import { DESCRIPTION_MAX_BYTES, HIT_DESCRIPTION_LENGTH } from './limits.ts'
import type { SourceKind } from './tool-id.ts'
import type { Tool, ToolAnnotations } from './tool.ts'

/** Everything a model needs to call a tool, schemas as stored. */
export type Description = {
  readonly id: string
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly source: SourceKind
  readonly owner: string
  readonly signature: string
  readonly inputSchema?: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: ToolAnnotations
  readonly examples?: readonly JsonObject[]
  readonly schemaHash: string
  /** What was left out at the byte bound, and how to get it. */
  readonly notes?: readonly string[]
}

export interface DescribeOptions {
  readonly signature: (tool: Tool) => string
  /** Bound on the JSON text of the answer; schemas that do not fit are left out and said so. */
  readonly maxBytes?: number
}

export function describeTool(tool: Tool, options: DescribeOptions): Description {
  const maxBytes = options.maxBytes ?? DESCRIPTION_MAX_BYTES
  const hasAnnotations = Object.keys(tool.annotations).length > 0
  const core: Description = {
    id: tool.id,
    name: tool.name,
    ...(tool.title !== undefined && { title: tool.title }),
    description: cutText(tool.description, Math.floor(maxBytes / 4)),
    source: tool.source,
    owner: tool.owner,
    signature: options.signature(tool),
    ...(hasAnnotations && { annotations: tool.annotations }),
    schemaHash: tool.schemaHash,
  }
  const parts = [
    { key: 'inputSchema', part: { inputSchema: tool.inputSchema } },
    { key: 'outputSchema', part: tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema } },
    { key: 'examples', part: tool.examples === undefined ? {} : { examples: tool.examples } },
  ] as const
  let result = core
  const leftOut: string[] = []
  for (const { key, part } of parts) {
    const grown = { ...result, ...part }
    if (Buffer.byteLength(JSON.stringify(grown)) <= maxBytes) result = grown
    else leftOut.push(key)
  }
  if (leftOut.length === 0) return result
  const note = `${leftOut.join(', ')} left out: too large for one answer; the signature has the arguments, and describe with { of: "input", path: "/properties" } reads the schema in parts`
  return { ...result, notes: [note] }
}

/** The first sentences of a description, cut on a character boundary. */
export function cutDescription(text: string): string {
  return cutText(text.trim(), HIT_DESCRIPTION_LENGTH)
}

function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.toWellFormed()
  return `${text
    .slice(0, maxLength - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
