import type { JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { QUOTED_VALUE_CHARS } from './limits.ts'
import type { SchemaNode } from './schema-node.ts'

/** What a schema wants, in words: `an integer from 0 to 65535`. */
export function describeExpected(node: SchemaNode): string {
  if (node['x-expected'] !== undefined) return node['x-expected']
  if (node.anyOf) return unique(node.anyOf.map(describeExpected)).join(' or ')
  if (node.enum) return `one of ${node.enum.map((value) => JSON.stringify(value)).join(', ')}`
  const { minimum, maximum } = node
  switch (node.type) {
    case 'integer':
      return minimum === undefined || maximum === undefined ? 'an integer' : `an integer from ${minimum} to ${maximum}`
    case 'string':
      return node.minLength === undefined ? 'a string' : 'a string that is not empty'
    case 'boolean':
      return 'true or false'
    case 'array':
      if (node.maxItems !== undefined) return `a list of at most ${node.maxItems}`
      return node.minItems === undefined ? 'a list' : 'a list that is not empty'
    case 'object':
      return describeObject(node)
    case undefined:
      break
  }
  return 'any value'
}

/** A value as a message quotes it: short, on one line, with its kind where that is the point. */
export function quoteValue(value: JsonValue): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (isJsonObject(value)) return 'an object'
  const text = JSON.stringify(value)
  return text.length > QUOTED_VALUE_CHARS ? `${text.slice(0, QUOTED_VALUE_CHARS).toWellFormed()}…` : text
}

/** `a string` and the like, after a quoted value; empty where the quote says it already. */
export function kindOf(value: JsonValue): string {
  if (value === null || typeof value === 'object') return ''
  return ` (a ${typeof value})`
}

function describeObject(node: SchemaNode): string {
  const keys = Object.keys(node.properties ?? {})
  const required = (node.required ?? []).filter((key) => node.properties?.[key]?.default === undefined)
  const shown = required.length > 0 ? required : keys
  return shown.length === 0 ? 'an object' : `an object with ${shown.map((key) => `"${key}"`).join(', ')}`
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
