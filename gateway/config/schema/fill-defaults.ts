import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { FindOptions } from '../../schema/find-problems.ts'
import { childOf, findProblems, quotePlainly } from '../../schema/find-problems.ts'
import type { SchemaNode } from '../../schema/schema-node.ts'
import { hasReference } from '../secrets/references.ts'

/** The value with every default of its schema in place; what it has itself stays. */
export function fillDefaults(node: SchemaNode, value: JsonValue): JsonValue {
  const branch = node.anyOf?.find((each) => findProblems(each, value, judgeAll).length === 0)
  if (branch) return fillDefaults(branch, value)
  if (Array.isArray(value)) {
    const items = node.items
    return items ? value.map((item) => fillDefaults(items, item)) : value
  }
  if (!isJsonObject(value)) return value
  const absent = Object.entries(node.properties ?? {}).filter(
    ([key, child]) => value[key] === undefined && child.default !== undefined,
  )
  const present = Object.entries(value).map(([key, child]) => [key, fillDefaults(childOf(node, key) ?? {}, child)])
  const defaults = absent.map(([key, child]) => [key, fillDefaults(child, defaultOf(child))])
  return Object.fromEntries([...present, ...defaults])
}

/** A default is written in the schema as plain JSON. */
function defaultOf(node: SchemaNode): JsonValue {
  return JSON.parse(JSON.stringify(node.default))
}

/** An address that is a reference still tells that its holder is the alternative with an address. */
const judgeAll: FindOptions = {
  quote: quotePlainly,
  isOpen: (value) => typeof value === 'string' && hasReference(value),
}
