import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { previewOf } from './json-room.ts'

/**
 * The model's text of a search or describe answer: JSON within `maxBytes`. Hits are left out from the end, and then
 * the schemas of a description; the answer says so and stays whole JSON.
 */
export function answerText(value: JsonValue, maxBytes: number): string {
  const whole = JSON.stringify(value)
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  // Several descriptions: the object is there only to say that some are missing.
  if (Array.isArray(value)) return shortened({ descriptions: value }, 'descriptions', maxBytes)
  if (!isJsonObject(value)) return JSON.stringify(previewOf(value, maxBytes))
  if (Array.isArray(value['hits'])) return shortened(value, 'hits', maxBytes)
  if (Array.isArray(value['results'])) return shortened(value, 'results', maxBytes)
  const { inputSchema: _input, outputSchema: _output, examples: _examples, ...rest } = value
  const notes = ['the schemas are too large for one answer; the signature has the arguments']
  const bare = JSON.stringify({ ...rest, notes })
  return Buffer.byteLength(bare) <= maxBytes ? bare : JSON.stringify(previewOf({ ...rest, notes }, maxBytes))
}

/** Leaves list entries out from the end: the best ones come first. */
function shortened(value: JsonObject, key: 'hits' | 'results' | 'descriptions', maxBytes: number): string {
  const list = value[key]
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : []
  for (let count = entries.length - 1; count >= 1; count -= 1) {
    const text = JSON.stringify({ ...value, [key]: entries.slice(0, count), omitted: entries.length - count })
    if (Buffer.byteLength(text) <= maxBytes) return text
  }
  return JSON.stringify({
    [key]: [],
    omitted: entries.length,
    notes: ['the answer is too large; ask for fewer at once'],
  })
}
