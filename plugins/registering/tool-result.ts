import type { JsonValue } from '../../catalog/json.ts'
import { isToolResult } from '../../catalog/tool-result.ts'
import type { ToolResult } from '../../catalog/tool.ts'

const RESULT_KEYS: readonly string[] = ['content', 'structured', 'isError']

/**
 * The result of a tool from what its `execute` returned: a string is text, a `ToolResult` stands as it is, any other
 * value is structured content with its JSON as text. The plugin keeps no hold on it.
 * @throws {TypeError} when the value is not JSON
 */
export function toToolResult(returned: unknown): ToolResult {
  if (typeof returned === 'string') return { content: [{ type: 'text', text: returned }] }
  const value = jsonOf(returned ?? null)
  if (isPlainResult(value)) return value
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structured: value }
}

function jsonOf(value: unknown): JsonValue {
  try {
    const text: string | undefined = JSON.stringify(value)
    if (text !== undefined) return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`the tool returned what is not JSON: ${String(error)}`, { cause: error })
  }
  throw new TypeError(`the tool returned a ${typeof value}, which is not JSON`)
}

/** With nothing beside its parts: a record that happens to have a list `content` is a value. */
function isPlainResult(value: JsonValue): value is JsonValue & ToolResult {
  return isToolResult(value) && Object.keys(value).every((key) => RESULT_KEYS.includes(key))
}
