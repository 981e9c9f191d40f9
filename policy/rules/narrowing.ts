import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { createReferences } from '../../catalog/schema/references.ts'
import type { Tool } from '../../catalog/tool.ts'
import { ENUM_VALUES_MAX } from '../limits.ts'
import type { Rule, RuleBook } from './rule-book.ts'

/** The narrowed form of each tool, made once: a schema that is another object for each caller is compiled for each. */
export function createNarrowing(rules: RuleBook): (tool: Tool) => Tool | undefined {
  const narrowed = new WeakMap<Tool, Tool>()
  return (tool) => {
    const known = narrowed.get(tool)
    if (known !== undefined) return known
    const denies = rules.rulesOf(tool).filter((rule) => rule.effect === 'deny')
    const made = denies.length === 0 ? tool : narrowTool(tool, denies)
    if (made !== undefined && made !== tool) narrowed.set(tool, made)
    return made
  }
}

/**
 * The tool as it is shown: without the values of an enumerated argument that rules refuse whatever else is given, and
 * undefined where no call of it is left. Its hash stays that of the registered schema, which is the one that is
 * enforced together with the rules.
 */
function narrowTool(tool: Tool, denies: readonly Rule[]): Tool | undefined {
  if (denies.some((rule) => rule.isUnconditional)) return undefined
  let inputSchema: JsonObject | undefined = tool.inputSchema
  for (const [name, rules] of rulesByArgument(denies)) {
    inputSchema = narrowObject(inputSchema, { root: tool.inputSchema, name, rules, isRequiredAbove: false })
    if (inputSchema === undefined) return undefined
  }
  return inputSchema === tool.inputSchema ? tool : { ...tool, inputSchema }
}

/** Rules that look at one argument alone; what looks at more can only be judged with the whole call. */
function rulesByArgument(denies: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> {
  const single = denies.filter((rule) => rule.reads?.size === 1)
  return Map.groupBy(single, (rule) => [...(rule.reads ?? [])][0] ?? '')
}

interface Narrowing {
  readonly root: JsonObject
  readonly name: string
  readonly rules: readonly Rule[]
  readonly isRequiredAbove: boolean
}

/** Undefined where every call that the schema allows is refused. */
function narrowObject(schema: JsonObject, narrowing: Narrowing): JsonObject | undefined {
  const { name, rules, root } = narrowing
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const isRequired = narrowing.isRequiredAbove || required.includes(name)
  const narrowed = narrowBranches(schema, { ...narrowing, isRequiredAbove: isRequired })
  if (narrowed === undefined) return undefined
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const property = Object.hasOwn(properties, name) ? resolve(properties[name], root) : undefined
  const values = property === undefined ? undefined : enumeratedValues(property)
  if (property === undefined || values === undefined) return narrowed
  const isRefused = (input: JsonObject): boolean => rules.some((rule) => rule.appliesTo(input))
  const kept = values.filter((value) => !isRefused({ [name]: value }))
  const isNeeded = isRequired || isRefused({})
  if (kept.length === values.length && isNeeded === isRequired) return narrowed
  if (kept.length === 0 && isNeeded) return undefined
  const { [name]: _refused, ...others } = properties
  if (kept.length === 0) return { ...narrowed, properties: others }
  const shown = kept.length === values.length ? (properties[name] ?? null) : withValues(property, kept)
  return {
    ...narrowed,
    // In its old place: the order of arguments is what a model reads.
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, key === name ? shown : value]),
    ),
    ...(!isRequired && isNeeded && { required: [...required, name] }),
  }
}

/** A schema that is one of several, told apart by the argument: those that are left. */
function narrowBranches(schema: JsonObject, narrowing: Narrowing): JsonObject | undefined {
  let narrowed = schema
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = schema[keyword]
    if (!Array.isArray(branches)) continue
    const kept = branches.flatMap((branch): readonly JsonValue[] => {
      const object = resolve(branch, narrowing.root)
      if (object === undefined) return [branch]
      const inner = narrowObject(object, narrowing)
      if (inner === undefined) return []
      return [inner === object ? branch : inner]
    })
    if (kept.length === 0) return undefined
    if (kept.some((branch, index) => branch !== branches[index]) || kept.length < branches.length)
      narrowed = { ...narrowed, [keyword]: kept }
  }
  return narrowed
}

/** The values that a property can have, where the schema lists them. */
function enumeratedValues(property: JsonObject): readonly JsonValue[] | undefined {
  const values = listedValues(property)
  return values !== undefined && values.length > 0 && values.length <= ENUM_VALUES_MAX ? values : undefined
}

function listedValues(property: JsonObject): readonly JsonValue[] | undefined {
  if (property['const'] !== undefined) return [property['const']]
  if (Array.isArray(property['enum'])) return property['enum']
  if (property['type'] === 'boolean') return [true, false]
  const branches = property['oneOf'] ?? property['anyOf']
  if (!Array.isArray(branches)) return undefined
  const values = branches.map((branch) => (isJsonObject(branch) ? branch['const'] : undefined))
  return values.every((value) => value !== undefined) ? values : undefined
}

function withValues(property: JsonObject, kept: readonly JsonValue[]): JsonObject {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = property[keyword]
    if (!Array.isArray(branches) || property['enum'] !== undefined) continue
    return {
      ...property,
      [keyword]: branches.filter((branch) => isJsonObject(branch) && kept.includes(branch['const'] ?? null)),
    }
  }
  const { default: given, ...rest } = property
  const hasDefault = given !== undefined && kept.includes(given)
  return { ...rest, ...(hasDefault && { default: given }), enum: [...kept] }
}

/** A local reference is followed once, which is as far as schemas of single arguments go. */
function resolve(schema: JsonValue | undefined, root: JsonObject): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  const references = createReferences(root)
  const found = references.resolve(reference, references.document)
  return found.kind === 'found' && isJsonObject(found.schema) && found.schema['$ref'] === undefined
    ? found.schema
    : undefined
}
