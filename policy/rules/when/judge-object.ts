import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Judge, Judging, WhenMatch } from './judge.ts'
import { keysBelow } from './keys-below.ts'
import { agreed, allMatch, anyMatches, opposite } from './three-valued.ts'

const COUNTED = ['minProperties', 'maxProperties', 'propertyNames', 'dependentRequired']
const OTHERS = [
  ...COUNTED,
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'dependentSchemas',
] as const

/** What a schema says of an object; of what is none (JSON in a text may be one) it says nothing that can be relied on. */
export function judgeObject(schema: JsonObject, judging: Judging): Judge | undefined {
  const { judgeOf } = judging
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const needed = required.filter((name) => typeof name === 'string')
  const names = [...new Set([...Object.keys(properties), ...needed])]
  const rest = OTHERS.some((keyword) => schema[keyword] !== undefined) ? judgeRest(schema, judging) : undefined
  if (names.length === 0 && rest === undefined) return undefined
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

function judgeRest(schema: JsonObject, judging: Judging): (object: JsonObject) => WhenMatch {
  const { judgeOf, checked } = judging
  const { dependentSchemas, unevaluatedProperties } = schema
  const counts = checked(Object.fromEntries(Object.entries(schema).filter(([keyword]) => COUNTED.includes(keyword))))
  const dependent = isJsonObject(dependentSchemas) ? Object.entries(dependentSchemas) : []
  const depending = dependent.map(([name, part]) => ({ name, judge: judgeOf(part) }))
  const unnamed = judgeUnnamed(schema, judging)
  const unevaluated = unevaluatedProperties === undefined ? undefined : checked({ unevaluatedProperties: false })
  return (object) =>
    allMatch([
      counts(object),
      ...depending.map(({ name, judge }) => (Object.hasOwn(object, name) ? judge(object) : 'yes')),
      ...unnamed(object),
      // Which properties the other parts have looked at is not known here.
      unevaluated === undefined || unevaluated(object) === 'yes' ? 'yes' : 'undecided',
    ])
}

/** What is said of properties by a pattern of their names, and of all that nothing else names. */
function judgeUnnamed(
  { properties, patternProperties, additionalProperties }: JsonObject,
  { judgeOf, checked }: Judging,
): (object: JsonObject) => readonly WhenMatch[] {
  const patterns = Object.entries(isJsonObject(patternProperties) ? patternProperties : {}).map(([pattern, part]) => ({
    names: checked({ pattern }),
    judge: judgeOf(part),
  }))
  const known = new Set(isJsonObject(properties) ? Object.keys(properties) : [])
  const additional = judgeOf(additionalProperties)
  return (object) =>
    Object.entries(object).flatMap(([key, value]) => {
      const found = patterns.map(({ names, judge }) => ({ named: names(key), judge }))
      const isOther = known.has(key) ? 'no' : opposite(anyMatches(found.map(({ named }) => named)))
      return [...found, { named: isOther, judge: additional }].map(({ named, judge }) =>
        named === 'no' ? 'yes' : anyMatches([opposite(named), judge(value)]),
      )
    })
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
