import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'

/** The object with this key in a result's text, wherever it stands in it: results carry notices and logs around it. */
export function findObject(text: string, key: string): JsonObject | undefined {
  const whole = readJson(text)
  const found = whole === undefined ? undefined : search(whole, key)
  if (found) return found
  const mark = new RegExp(`\\{\\s*"${key}"\\s*:`).exec(text)
  const end = mark ? closingBrace(text, mark.index) : -1
  const value = mark && end !== -1 ? readJson(text.slice(mark.index, end + 1)) : undefined
  return isJsonObject(value) ? value : undefined
}

function search(value: JsonValue, key: string): JsonObject | undefined {
  if (isJsonObject(value) && key in value) return value
  const children = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []
  for (const child of children) {
    const found = search(child, key)
    if (found) return found
  }
  return undefined
}

/** Index of the brace that closes the one at `start`; -1 in a text that was cut. */
function closingBrace(text: string, start: number): number {
  let depth = 0
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1
    if (token === '}') depth -= 1
    if (depth === 0) return start + index
  }
  return -1
}
