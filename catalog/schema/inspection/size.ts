import type { JsonObject, JsonValue } from '../../json.ts'
import { SCHEMA_MAX_BYTES, SCHEMA_MAX_JSON_DEPTH } from '../limits.ts'

/** Stops at the first bound that is passed, so that a schema of 100 MB costs hardly more than one of 64 KB. */
export function sizeProblem(root: JsonObject): string | undefined {
  const pending: [JsonValue, number][] = [[root, 0]]
  let bytes = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next
    bytes += ownBytes(value)
    if (bytes > SCHEMA_MAX_BYTES) return `schema is larger than ${SCHEMA_MAX_BYTES} bytes`
    if (typeof value !== 'object' || value === null) continue
    if (depth >= SCHEMA_MAX_JSON_DEPTH) return `schema is nested deeper than ${SCHEMA_MAX_JSON_DEPTH} levels of JSON`
    // The shortest entry has two bytes, so the many entries of a large list or object need no look.
    if (bytes + Object.keys(value).length * 2 > SCHEMA_MAX_BYTES)
      return `schema is larger than ${SCHEMA_MAX_BYTES} bytes`
    const isList = Array.isArray(value)
    for (const [key, entry] of Object.entries(value)) {
      if (!isList) bytes += textBytes(key) + 1
      pending.push([entry, depth + 1])
    }
  }
  return undefined
}

function ownBytes(value: JsonValue): number {
  if (typeof value === 'string') return textBytes(value) + 1
  // Brackets and a comma; for scalars their text and a comma.
  return typeof value === 'object' && value !== null ? 3 : String(value).length + 1
}

/** With its quotes; escapes are left out, which only ever lets a little more pass. */
function textBytes(text: string): number {
  // Past the bound the exact count does not matter, and counting a string of 100 MB would.
  return text.length > SCHEMA_MAX_BYTES ? text.length : Buffer.byteLength(text) + 2
}
