import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Judge, Judging, WhenMatch } from './judge.ts'
import { dependentsOf, judgeDependents } from './judge-dependents.ts'
import { judgePatterns } from './judge-patterns.ts'
import type { KeysBelow } from './keys-below.ts'
import { keysBelow, seekNames } from './keys-below.ts'
import { agreed, allMatch } from './three-valued.ts'

/** What is said of an object. `elsewhere` is what stands under keys that may be taken for a name. */
type Part = (object: JsonObject, elsewhere: KeysBelow) => readonly WhenMatch[]

/** What a schema says of an object; of what is none (JSON in a text may be one) it says nothing that can be relied on. */
export function judgeObject(schema: JsonObject, judging: Judging): Judge | undefined {
  const properties = propertiesOf(schema, judging)
  const dependents = dependentsOf(schema, judging)
  const parts = [
    properties.length === 0 ? undefined : judgeProperties(properties),
    dependents.length === 0 ? undefined : judgeDependents(dependents),
    judgePatterns(schema, judging),
    judgeNames(schema, judging),
    judgeCounts(schema, judging),
  ].filter((part) => part !== undefined)
  if (parts.length === 0) return undefined
  const depending = dependents.flatMap(({ name, needed }) => [name, ...needed])
  const seek = seekNames([...new Set([...properties.map(({ name }) => name), ...depending])])
  return (value) => {
    if (!isJsonObject(value)) return 'undecided'
    const elsewhere = keysBelow(value, seek)
    return elsewhere === undefined ? 'undecided' : allMatch(parts.flatMap((part) => part(value, elsewhere)))
  }
}

interface JudgedProperty {
  readonly name: string
  readonly isNeeded: boolean
  readonly judge: Judge
}

function propertiesOf(schema: JsonObject, { judgeOf }: Judging): readonly JudgedProperty[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const needed = required.filter((name) => typeof name === 'string')
  return [...new Set([...Object.keys(properties), ...needed])].map((name) => ({
    name,
    isNeeded: needed.includes(name),
    judge: judgeOf(Object.hasOwn(properties, name) ? properties[name] : true),
  }))
}

function judgeProperties(properties: readonly JudgedProperty[]): Part {
  return (object, elsewhere) =>
    properties.map((property) => judgeProperty(object, property, elsewhere.get(property.name) ?? []))
}

/** Where what stands elsewhere says otherwise, nothing is sure. */
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

function judgeNames({ propertyNames }: JsonObject, { judgeKey }: Judging): Part | undefined {
  if (propertyNames === undefined) return undefined
  const judge = judgeKey(propertyNames)
  return (object) => Object.keys(object).map(judge)
}

function judgeCounts(schema: JsonObject, { checked }: Judging): Part | undefined {
  const { minProperties, maxProperties, unevaluatedProperties } = schema
  const given = Object.entries({ minProperties, maxProperties }).filter(([, count]) => count !== undefined)
  const isOpen = unevaluatedProperties !== undefined && unevaluatedProperties !== true
  if (given.length === 0 && !isOpen) return undefined
  const counts = checked(Object.fromEntries(given.map(([keyword, count]) => [keyword, count ?? null])))
  // Which properties the other parts have looked at is not known here.
  return (object) => [counts(object), isOpen && Object.keys(object).length > 0 ? 'undecided' : 'yes']
}
