import type { JsonObject } from './json.ts'
import { DESCRIPTION_MAX_BYTES, HIT_DESCRIPTION_LENGTH, SIGNATURE_MIN_CHARS, TITLE_MAX_LENGTH } from './limits.ts'
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
  /** Why it cannot be called at this moment: its server is not there. */
  readonly unavailable?: string
  /** What was left out at the byte bound, and how to get it. */
  readonly notes?: readonly string[]
}

export interface DescribeOptions {
  /** Within so many UTF-16 units, where they are given. */
  readonly signature: (tool: Tool, maxChars?: number) => string
  /** Bound on the JSON text of the answer; schemas that do not fit are left out and said so. */
  readonly maxBytes?: number
}

export function describeTool(tool: Tool, options: DescribeOptions): Description {
  const maxBytes = options.maxBytes ?? DESCRIPTION_MAX_BYTES
  const hasAnnotations = Object.keys(tool.annotations).length > 0
  const core: Description = {
    id: tool.id,
    name: tool.name,
    ...(tool.title !== undefined && { title: cutTitle(tool.title) }),
    description: cutToBytes(tool.description, Math.floor(maxBytes / 4)),
    source: tool.source,
    owner: tool.owner,
    signature: signatureWithin(tool, Math.floor((maxBytes * 2) / 3), options),
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
    if (jsonBytes(grown) <= maxBytes) result = grown
    else leftOut.push(key)
  }
  if (leftOut.length === 0) return result
  return { ...result, notes: [leftOutNote(leftOut)] }
}

function leftOutNote(leftOut: readonly string[]): string {
  const of = leftOut[0] === 'outputSchema' ? 'output' : 'input'
  const way = leftOut[0] === 'examples' ? '' : `, and describe with { of: "${of}", path: "" } reads the schema in parts`
  return `${leftOut.join(', ')} left out: too large for one answer; the signature has the types${way}`
}

/** Text of other scripts takes up to three bytes a unit, so what fits is found by asking for less. */
function signatureWithin(tool: Tool, maxBytes: number, { signature }: DescribeOptions): string {
  let text = signature(tool)
  for (let maxChars = maxBytes; jsonBytes(text) > maxBytes && maxChars > SIGNATURE_MIN_CHARS;) {
    maxChars = Math.floor(maxChars / 2)
    text = signature(tool, maxChars)
  }
  return text
}

export function cutTitle(title: string): string {
  return cutToLength(title.trim(), TITLE_MAX_LENGTH)
}

/** The first sentences of a description, cut on a character boundary. */
export function cutDescription(text: string): string {
  return cutToLength(text.trim(), HIT_DESCRIPTION_LENGTH)
}

/** Within so many bytes of JSON text: a control character takes six, one of another script three. */
function cutToBytes(text: string, maxBytes: number): string {
  let cut = text.toWellFormed()
  for (let maxChars = maxBytes; jsonBytes(cut) > maxBytes;) {
    maxChars = Math.floor(maxChars * Math.min(0.9, maxBytes / jsonBytes(cut)))
    cut = cutToLength(text, maxChars)
  }
  return cut
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Whole characters, an ellipsis where something was cut; in UTF-16 units. */
export function cutToLength(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.toWellFormed()
  return `${text
    .slice(0, maxLength - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
