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
  if (Array.isArray(value)) return describedShort(value, maxBytes)
  if (!isJsonObject(value)) return JSON.stringify(previewOf(value, maxBytes))
  if (Array.isArray(value['hits'])) return shortened(value, 'hits', maxBytes)
  const { results } = value
  if (Array.isArray(results)) return resultsShort(value, results, maxBytes)
  const bare = withoutSchemas(value)
  const text = JSON.stringify(bare)
  return Buffer.byteLength(text) <= maxBytes ? text : JSON.stringify(previewOf(bare, maxBytes))
}

/** Every one of several queries keeps its best hits, and at last only what they are called by, before one is left out. */
function resultsShort(value: JsonObject, results: readonly JsonValue[], maxBytes: number): string {
  const hitsOf = (result: JsonValue): readonly JsonValue[] => {
    const hits = isJsonObject(result) ? result['hits'] : undefined
    return Array.isArray(hits) ? hits : []
  }
  const most = Math.max(0, ...results.map((result) => hitsOf(result).length))
  const within = (count: number, change: (hit: JsonValue) => JsonValue): JsonObject => ({
    ...value,
    results: results.map((result) => {
      const hits = hitsOf(result)
      if (!isJsonObject(result)) return result
      const omitted = hits.length - count
      return { ...result, hits: hits.slice(0, count).map(change), ...(omitted > 0 && { omitted }) }
    }),
  })
  for (let count = most - 1; count >= 1; count -= 1) {
    const text = JSON.stringify(within(count, (hit) => hit))
    if (Buffer.byteLength(text) <= maxBytes) return text
  }
  const slim = within(1, slimHit)
  const text = JSON.stringify(slim)
  return Buffer.byteLength(text) <= maxBytes ? text : shortened(slim, 'results', maxBytes)
}

function slimHit(hit: JsonValue): JsonValue {
  if (!isJsonObject(hit)) return hit
  const { id = null, description, score, weak } = hit
  return {
    id,
    ...(description !== undefined && { description }),
    ...(score !== undefined && { score }),
    ...(weak !== undefined && { weak }),
  }
}

/** All of several descriptions without their schemas rather than some of them whole. */
function describedShort(value: readonly JsonValue[], maxBytes: number): string {
  const bare = value.map((each) => (isJsonObject(each) ? withoutSchemas(each) : each))
  const text = JSON.stringify(bare)
  return Buffer.byteLength(text) <= maxBytes ? text : shortened({ descriptions: bare }, 'descriptions', maxBytes)
}

function withoutSchemas(description: JsonObject): JsonObject {
  const { inputSchema, outputSchema, examples, notes: _notes, ...rest } = description
  if (inputSchema === undefined && outputSchema === undefined && examples === undefined) return description
  return { ...rest, notes: ['the schemas are too large for one answer; the signature has the arguments'] }
}

/** The next page begins after what is left out here, so its cursor would skip that. */
function pagedBy({ cursor: _cursor, notes, ...rest }: JsonObject, count: number): JsonObject {
  const way = `not all hits fit one answer: ask again with limit ${count}, then page by the cursor`
  return { ...rest, notes: [...(Array.isArray(notes) ? notes : []), way] }
}

/** Leaves list entries out from the end: the best ones come first. */
function shortened(value: JsonObject, key: 'hits' | 'results' | 'descriptions', maxBytes: number): string {
  const list = value[key]
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : []
  for (let count = entries.length - 1; count >= 1; count -= 1) {
    const text = JSON.stringify({
      ...(value['cursor'] === undefined ? value : pagedBy(value, count)),
      [key]: entries.slice(0, count),
      omitted: entries.length - count,
    })
    if (Buffer.byteLength(text) <= maxBytes) return text
  }
  return JSON.stringify({
    [key]: [],
    omitted: entries.length,
    notes: ['the answer is too large; ask for fewer at once'],
  })
}
