import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import type { NormalKeywords } from '../schema/keywords.ts'
import { commentText } from './comment.ts'
import { COMMENT_VALUE_MAX_CHARS } from './limits.ts'
import { isSmall } from './literal.ts'

/** What a schema asks beyond its type, in few words: `1–200 chars`, `≤ 10`, `date-time`, `default 3`. */
export function boundsOf(keywords: NormalKeywords, schema: JsonObject): readonly string[] {
  return [
    typeof keywords['format'] === 'string' ? commentText(keywords['format'], COMMENT_VALUE_MAX_CHARS) : '',
    isInteger(keywords['type']) ? 'integer' : '',
    numberRange(keywords),
    keywords['multipleOf'] === undefined ? '' : `multiple of ${shownValue(keywords['multipleOf'])}`,
    withUnit(countRange(keywords['minLength'], keywords['maxLength']), 'chars'),
    typeof keywords['pattern'] === 'string'
      ? `matches ${commentText(keywords['pattern'], COMMENT_VALUE_MAX_CHARS)}`
      : '',
    countRange(keywords['minItems'], keywords['maxItems']),
    keywords['uniqueItems'] === true ? 'distinct' : '',
    withUnit(countRange(keywords['minProperties'], keywords['maxProperties']), 'keys'),
    ...dependencies(keywords),
    hasConditions(keywords) ? 'further conditions: see the schema' : '',
    schema['deprecated'] === true ? 'deprecated' : '',
    schema['default'] === undefined ? '' : `default ${shownValue(schema['default'])}`,
  ].filter((part) => part !== '')
}

function isInteger(type: JsonValue | undefined): boolean {
  return [type].flat().includes('integer')
}

function numberRange(keywords: NormalKeywords): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords
  const isClosed = exclusiveMinimum === undefined && exclusiveMaximum === undefined
  if (isClosed) return range(minimum, maximum)
  const parts = [
    ['≥', minimum],
    ['>', exclusiveMinimum],
    ['≤', maximum],
    ['<', exclusiveMaximum],
  ] as const
  return parts.flatMap(([sign, bound]) => (bound === undefined ? [] : [`${sign} ${shownValue(bound)}`])).join(', ')
}

function range(least: JsonValue | undefined, most: JsonValue | undefined): string {
  if (least === undefined) return most === undefined ? '' : `≤ ${shownValue(most)}`
  if (most === undefined) return `≥ ${shownValue(least)}`
  return least === most ? `exactly ${shownValue(least)}` : `${shownValue(least)}–${shownValue(most)}`
}

/** At least none is no bound. */
function countRange(least: JsonValue | undefined, most: JsonValue | undefined): string {
  return range(least === 0 ? undefined : least, most)
}

function withUnit(text: string, unit: string): string {
  return text === '' ? text : `${text} ${unit}`
}

function dependencies(keywords: NormalKeywords): readonly string[] {
  const required = keywords['dependentRequired']
  if (!isJsonObject(required)) return []
  return Object.entries(required)
    .slice(0, 4)
    .map(([key, names]) =>
      commentText(`${key} needs ${[names].flat().map(String).join(', ')}`, COMMENT_VALUE_MAX_CHARS),
    )
}

function hasConditions(keywords: NormalKeywords): boolean {
  return ['not', 'if', 'dependentSchemas', 'contains', 'propertyNames'].some((keyword) => keyword in keywords)
}

function shownValue(value: JsonValue): string {
  // Nothing of a default of megabytes is needed beyond its start.
  const text = typeof value === 'string' ? value.slice(0, COMMENT_VALUE_MAX_CHARS * 2) : value
  return isSmall(text) ? commentText(JSON.stringify(text), COMMENT_VALUE_MAX_CHARS) : 'a large value'
}
