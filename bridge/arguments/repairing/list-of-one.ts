import type { JsonObject } from '../../../catalog/json.ts'

/** "a,b" may be two items or one; text that begins like a list is a list that went wrong; neither is guessed at. */
export function isOneItem(text: string, itemParts: readonly JsonObject[]): boolean {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.startsWith('[')) return false
  const values = itemParts.flatMap((part) => (Array.isArray(part.enum) ? part.enum : []))
  return values.includes(text) || !/[,;\n|]/.test(trimmed)
}

/** `{ "0": …, "1": … }` and `{ "item": [ … ] }` are lists in the manner of other formats. */
export function looksLikeList(value: JsonObject): boolean {
  const keys = Object.keys(value)
  return keys.every((key) => /^\d+$/.test(key)) || (keys.length === 1 && Array.isArray(Object.values(value)[0]))
}
