import type { JsonValue } from '../../catalog/json.ts'
import { cutText, jsonBytes } from './cut-text.ts'

/** The longest beginning of a text whose JSON form, quotes and escapes included, takes so many bytes. */
export function cutForJson(text: string, maxBytes: number): string {
  let cut = cutText(text, Math.max(0, maxBytes - 2))
  for (let bytes = jsonBytes(cut); bytes > maxBytes && cut !== ''; bytes = jsonBytes(cut)) {
    // Escapes take up to six bytes for one; shrinking by what is too much ends after a few rounds.
    const shrunk = Math.min(Buffer.byteLength(cut) - 1, Math.floor(Buffer.byteLength(cut) * (maxBytes / bytes)))
    cut = cutText(cut, Math.max(0, shrunk))
  }
  return cut
}

/** A value that is too large, as its first part with a mark that says so and how to get the rest. */
export function previewOf(value: JsonValue, maxBytes: number): JsonValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const cut = `the value has ${Buffer.byteLength(text)} bytes and is cut here; ask for less: only the fields and items that you need`
  const room = maxBytes - jsonBytes({ preview: '', cut })
  return room > 0 ? { preview: cutForJson(text, room + 2), cut } : { cut: 'the value is too large to show' }
}
