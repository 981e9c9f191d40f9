import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '../../../json.ts'
import { isJsonObject } from '../../../json.ts'
import { readJson } from '../../../read-json.ts'
import type { ContentBlock, ToolResult } from '../../../tool.ts'
import { McpCallError } from '../errors.ts'
import { VALUE_MAX_DEPTH } from '../limits.ts'
import { blockDetails } from './block-details.ts'
import { plainBase64, readMedia } from './media-block.ts'

/**
 * A `tools/call` result as it came off the wire. Content blocks of kinds that we do not know are kept as the text of
 * their JSON; nothing that a tool gave back is dropped.
 * @throws {McpCallError} `bad-answer` when it is no result at all
 */
export function readToolResult(raw: unknown): ToolResult {
  if (!isJsonObject(raw)) throw new McpCallError('bad-answer', 'the server answered with something else than a result')
  if (isDeeperThan(raw, VALUE_MAX_DEPTH)) {
    throw new McpCallError('bad-answer', `the result nests deeper than ${VALUE_MAX_DEPTH} levels`)
  }
  const { content, structured, isError } = partsOf(raw)
  const blocks = blocksOf(content).map(readBlock)
  const isFailure = isTrue(isError)
  // The words of a failure stand in its blocks, and a structured value beside them would be read in their place.
  if (isFailure && structured !== undefined && blocks.length > 0) {
    return { content: withTextOf(structured, blocks), isError: true }
  }
  return { content: blocks, ...(structured !== undefined && { structured }), ...(isFailure && { isError: true }) }
}

/** What the blocks do not say already. */
function withTextOf(structured: JsonValue, blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const isSaid = blocks.some((block) => block.type === 'text' && isDeepStrictEqual(readJson(block.text), structured))
  return isSaid ? blocks : [...blocks, { type: 'text', text: JSON.stringify(structured) }]
}

interface ResultParts {
  readonly content?: JsonValue | undefined
  readonly structured?: JsonValue | undefined
  readonly isError?: JsonValue | undefined
}

/** A result that has no place for what the tool gave back is itself what it gave back: one block, or some value. */
function partsOf(raw: JsonObject): ResultParts {
  const { content, toolResult, resultType: _type, _meta: _more, ...others } = raw
  // Some languages have names of their own for two of them.
  const { structured_content: ofSnakes, is_error: failed, ...more } = others
  const { structuredContent = ofSnakes, isError = failed, ...rest } = more
  // `toolResult` is where servers of the first revision (2024-10-07) put it.
  const none = structuredContent === null && !saysMore(content) ? null : undefined
  const structured = structuredContent ?? toolResult ?? none
  const hasPlace = 'content' in raw || structured !== undefined
  if (hasPlace || Object.keys(rest).length === 0) return { content, structured, isError }
  // What a tool says of its failure is read as a text.
  return isTrue(isError) || readKnownBlock(rest) !== undefined ? { content: [rest], isError } : { structured: rest }
}

/** Beside a null that is a result stand no blocks, or its text; beside other blocks it is how some languages write that there is none. */
function saysMore(content: JsonValue | undefined): boolean {
  return blocksOf(content).some((block) => !isJsonObject(block) || block['text'] !== 'null')
}

/** Some languages write what is true as a text or a number. A failure that is taken for a success is acted on. */
function isTrue(value: unknown): boolean {
  const said = typeof value === 'string' ? value.toLowerCase() : value
  return said === true || said === 1 || said === 'true' || said === '1'
}

/** A text or a block that stands there without its list is one all the same. */
function blocksOf(content: JsonValue | undefined): readonly unknown[] {
  if (Array.isArray(content)) return content
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return isJsonObject(content) ? [content] : []
}

/** Recursion that stops at the depth it asks for, so that no value can exhaust the stack. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  return Object.values(value).some((member) => isDeeperThan(member, depth - 1))
}

function readBlock(block: unknown): ContentBlock {
  if (typeof block === 'string') return { type: 'text', text: block }
  const known = isJsonObject(block) ? readKnownBlock(block) : undefined
  if (known === undefined || !isJsonObject(block)) return { type: 'text', text: JSON.stringify(block) }
  const details = blockDetails(block)
  return details === undefined ? known : { ...known, details }
}

function readKnownBlock(block: Readonly<Record<string, unknown>>): ContentBlock | undefined {
  const { type, text, data, mimeType, uri, name, resource } = block
  if (type === 'text' && typeof text === 'string') return { type, text }
  if (type === 'text' && (typeof text === 'number' || typeof text === 'boolean')) return { type, text: String(text) }
  if ((type === 'image' || type === 'audio') && typeof data === 'string') return readMedia({ type, data, mimeType })
  if (type === 'resource_link' && typeof uri === 'string') {
    return {
      type,
      uri,
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof mimeType === 'string' ? { mimeType } : {}),
    }
  }
  if (type === 'resource' && isJsonObject(resource) && typeof resource['uri'] === 'string') {
    const { blob, ...members } = textMembers(resource, ['mimeType', 'text', 'blob'])
    const plain = blob === undefined ? undefined : plainBase64(blob)
    if (blob !== undefined && plain === undefined) return undefined
    return { type, resource: { uri: resource['uri'], ...members, ...(plain !== undefined && { blob: plain }) } }
  }
  return undefined
}

function textMembers<K extends string>(source: Readonly<Record<string, unknown>>, keys: readonly K[]) {
  const members: { [key in K]?: string } = {}
  for (const key of keys) {
    const value = source[key]
    if (typeof value === 'string') members[key] = value
  }
  return members
}
