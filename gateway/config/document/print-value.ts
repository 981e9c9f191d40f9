import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { INLINE_CHARS } from '../limits.ts'
import type { TextStyle } from './text-style.ts'

/** A value as JSON5 in the style of its file: on one line where it fits, else indented from `base` on. */
export function printValue(value: JsonValue, style: TextStyle, base: string): string {
  const inline = printInline(value, style)
  if (inline.length <= INLINE_CHARS || value === null || typeof value !== 'object') return inline
  const inner = base + style.indent
  const items = Array.isArray(value)
    ? value.map((item) => printValue(item, style, inner))
    : entriesOf(value).map(([key, item]) => `${printKey(key, style)}: ${printValue(item, style, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const end = style.isStrictJson ? '' : ','
  const lines = items.join(`,${style.lineEnd}${inner}`)
  return `${open}${style.lineEnd}${inner}${lines}${end}${style.lineEnd}${base}${close}`
}

function printInline(value: JsonValue, style: TextStyle): string {
  if (typeof value === 'string') return printString(value, style)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => printInline(item, style)).join(', ')}]`
  const members = entriesOf(value).map(([key, item]) => `${printKey(key, style)}: ${printInline(item, style)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

export function printKey(key: string, style: TextStyle): string {
  // Words that the parser takes for values.
  const isValueWord = ['null', 'true', 'false', 'Infinity', 'NaN'].includes(key)
  const isBare = !style.isStrictJson && !isValueWord && /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key)
  return isBare ? key : printString(key, style)
}

function printString(text: string, { quote }: TextStyle): string {
  // Two characters that JSON leaves as they are and that end a line for older readers.
  const json = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  if (quote === '"') return json
  const inner = json.slice(1, -1).replace(/\\(.)|'/g, (escape, escaped) => {
    if (escape === "'") return "\\'"
    return escaped === '"' ? '"' : escape
  })
  return `'${inner}'`
}

function entriesOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(value) ? Object.entries(value) : []
}
