import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { ContentBlock, ToolResult } from '../../catalog/tool.ts'

const RESULT_KEYS: readonly string[] = ['content', 'structured', 'isError']

const BLOCKS: Readonly<Record<string, (block: JsonObject) => boolean>> = {
  text: (block) => typeof block['text'] === 'string',
  image: (block) => typeof block['data'] === 'string' && typeof block['mimeType'] === 'string',
  audio: (block) => typeof block['data'] === 'string' && typeof block['mimeType'] === 'string',
  resource_link: (block) => typeof block['uri'] === 'string',
  resource: (block) => isJsonObject(block['resource']) && typeof block['resource']['uri'] === 'string',
}

/**
 * The result of a tool from what its `execute` returned: a string is text, a `ToolResult` stands as it is, any other
 * value is structured content with its JSON as text. The plugin keeps no hold on it.
 * @throws {TypeError} when the value is not JSON
 */
export function toToolResult(returned: unknown): ToolResult {
  if (typeof returned === 'string') return { content: [{ type: 'text', text: returned }] }
  const value = copyJson(returned ?? null)
  if (isToolResult(value)) return value
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structured: value }
}

function copyJson(value: unknown): JsonValue {
  try {
    const text: string | undefined = JSON.stringify(value)
    if (text !== undefined) return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`the tool returned what is not JSON: ${String(error)}`, { cause: error })
  }
  throw new TypeError(`the tool returned a ${typeof value}, which is not JSON`)
}

function isToolResult(value: unknown): value is ToolResult {
  if (!isJsonObject(value) || !Array.isArray(value['content'])) return false
  const isPlain = Object.keys(value).every((key) => RESULT_KEYS.includes(key))
  const isFlagFine = value['isError'] === undefined || typeof value['isError'] === 'boolean'
  return isPlain && isFlagFine && value['content'].every(isContentBlock)
}

function isContentBlock(block: unknown): block is ContentBlock {
  if (!isJsonObject(block)) return false
  const check = typeof block['type'] === 'string' ? BLOCKS[block['type']] : undefined
  return check?.(block) ?? false
}
