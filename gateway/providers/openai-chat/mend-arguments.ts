import { isJsonObject } from '../../../catalog/json.ts'
import { isJson, readJson } from '../../../catalog/read-json.ts'

/**
 * The arguments of a call as JSON, where only its form is wrong: line breaks that stand unescaped inside a text, as
 * models write programs; a fence around it; an empty object before the real one, which some servers send first; the whole
 * once more, as others end; JSON inside of JSON; `null` or an empty list for no arguments. What cannot be read in one way
 * stays as it is, for the model to be told of.
 */
export function mendArguments(text: string): string {
  if (text.trim() === '') return '{}'
  const value = readJson(text)
  if (value === null || (Array.isArray(value) && value.length === 0)) return '{}'
  if (typeof value === 'string' && isJsonObject(readJson(value))) return value
  if (value !== undefined) return text
  const unfenced = /^\s*```(?:json)?\s*\n([^]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text
  const alone = unfenced.replace(/^\s*\{\s*\}(?=\s*\{)/, '')
  const mended = escapeControls(alone)
  if (isJson(mended)) return mended
  const half = text.slice(0, text.length / 2)
  return text === half + half && isJson(half) ? half : text
}

/** Control characters are never right inside a JSON text, so there is one thing that they can mean. */
function escapeControls(json: string): string {
  let mended = ''
  let isInText = false
  let from = 0
  for (let place = 0; place < json.length; place += 1) {
    const code = json.charCodeAt(place)
    if (code === BACKSLASH && isInText) place += 1
    else if (code === QUOTE) isInText = !isInText
    else if (code < FIRST_PLAIN && isInText) {
      mended += json.slice(from, place) + JSON.stringify(json.charAt(place)).slice(1, -1)
      from = place + 1
    }
  }
  return mended + json.slice(from)
}

const QUOTE = 34
const BACKSLASH = 92
const FIRST_PLAIN = 32
