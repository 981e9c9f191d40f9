import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { INPUT_MAX_CHARS } from './limits.ts'

/** Longest texts that stay whole, tried in this order until the whole fits. */
const TEXT_CHARS = [2_048, 256, 48]

/**
 * An input as it is shown to who decides: whole where it can be read at all, else with every cut marked at its place,
 * so that nobody takes a part for the whole.
 */
export function shownInput(input: JsonObject): JsonObject {
  const text = JSON.stringify(input)
  if (text.length <= INPUT_MAX_CHARS) return input
  for (const chars of TEXT_CHARS) {
    const cut = cutTexts(input, chars)
    if (isJsonObject(cut) && JSON.stringify(cut).length <= INPUT_MAX_CHARS) return cut
  }
  const start = text.slice(0, INPUT_MAX_CHARS / 2).toWellFormed()
  return { '…': `${text.length} characters of JSON, too many to show; they begin with`, start }
}

function cutTexts(value: JsonValue, chars: number): JsonValue {
  if (typeof value === 'string') {
    const more = value.length - chars
    return more <= 0 ? value : `${value.slice(0, chars).toWellFormed()}… (${more} more characters)`
  }
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, chars))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutTexts(item, chars)]))
}
