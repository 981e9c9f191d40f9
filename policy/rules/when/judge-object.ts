import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Judge, Judging, WhenMatch } from './judge.ts'
import { keysBelow } from './keys-below.ts'
import { agreed, allMatch } from './three-valued.ts'

const OTHERS = [
  'minProperties',
  'maxProperties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
]

/** What a schema says of an object; of what is none (JSON in a text may be one) it says nothing that can be relied on. */
export function judgeObject(schema: JsonObject, { judgeOf, checked }: Judging): Judge | undefined {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const others = Object.entries(schema).filter(([keyword]) => OTHERS.includes(keyword))
  const needed = required.filter((name) => typeof name === 'string')
  const names = [...new Set([...Object.keys(properties), ...needed])]
  if (names.length === 0 && others.length === 0) return undefined
  const known = Object.fromEntries(Object.keys(properties).map((name) => [name, true]))
  const rest = others.length === 0 ? undefined : checked({ ...Object.fromEntries(others), properties: known })
  const judged = names.map((name) => ({
    name,
    isNeeded: needed.includes(name),
    judge: judgeOf(Object.hasOwn(properties, name) ? properties[name] : true),
  }))
  return (value) => {
    if (!isJsonObject(value)) return 'undecided'
    const elsewhere = keysBelow(value, names)
    if (elsewhere === undefined) return 'undecided'
    const each = judged.map((property) => judgeProperty(value, property, elsewhere.get(property.name) ?? []))
    return allMatch([...each, rest?.(value) ?? 'yes'])
  }
}

interface JudgedProperty {
  readonly name: string
  readonly isNeeded: boolean
  readonly judge: Judge
}

/** `elsewhere` is what stands under keys that may be taken for it: where that says otherwise, nothing is sure. */
function judgeProperty(
  object: JsonObject,
  { name, isNeeded, judge }: JudgedProperty,
  elsewhere: readonly JsonValue[],
): WhenMatch {
  const own = Object.hasOwn(object, name) ? object[name] : undefined
  const others = elsewhere.map(judge)
  if (own !== undefined) return agreed(judge(own), others)
  // In JSON Schema what is absent meets whatever is said of it.
  if (!isNeeded) return agreed('yes', others)
  return others.every((match) => match === 'no') ? 'no' : 'undecided'
}
