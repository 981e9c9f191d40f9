import type { JsonObject, JsonValue } from '../../json.ts'
import { isJsonObject } from '../../json.ts'
import { fitsType } from '../fits-type.ts'
import type { SchemaNode, SchemaNodes } from '../inspection/schema-node.ts'
import { scanValue } from '../value-scan.ts'
import type { Work } from '../work.ts'

/**
 * The value with the defaults of its schema, sharing what did not change. Only where a subschema applies for certain:
 * below properties, items, `allOf` and `$ref`, never inside `anyOf`, `oneOf`, `not` or conditions. A default that does
 * not fit its own type, or that brings a forbidden key, is left out.
 */
export function withDefaults(
  root: JsonObject,
  nodes: SchemaNodes,
  options: { value: JsonValue; work: Work },
): JsonValue {
  const fill = (schema: JsonValue | undefined, value: JsonValue): JsonValue => {
    options.work.spend(1)
    const node = isJsonObject(schema) ? nodes.get(schema) : undefined
    if (node === undefined || typeof value !== 'object' || value === null) return value
    let filled: JsonValue = value
    for (const target of node.references) if (isJsonObject(target)) filled = fill(target, filled)
    for (const child of node.children) if (child.keyword === 'allOf') filled = fill(child.schema, filled)
    if (Array.isArray(filled)) return fillItems(node, filled)
    return isJsonObject(filled) ? fillProperties(node, filled) : filled
  }
  const fillProperties = (node: SchemaNode, value: JsonObject): JsonObject => {
    const { properties } = node.keywords
    let filled = value
    for (const [key, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
      const present = Object.hasOwn(filled, key) ? filled[key] : undefined
      const next = present === undefined ? defaultOf(schema, nodes) : fill(schema, present)
      if (next !== undefined && next !== present && key !== '__proto__') filled = { ...filled, [key]: next }
    }
    return filled
  }
  const fillItems = (node: SchemaNode, items: readonly JsonValue[]): JsonValue => {
    const { prefixItems, items: rest } = node.keywords
    const first = Array.isArray(prefixItems) ? prefixItems : []
    const filled = items.map((item, index) => fill(index < first.length ? first[index] : rest, item))
    return filled.some((item, index) => item !== items[index]) ? filled : items
  }
  return fill(root, options.value)
}

function defaultOf(schema: JsonValue | undefined, nodes: SchemaNodes): JsonValue | undefined {
  const node = isJsonObject(schema) ? nodes.get(schema) : undefined
  if (node === undefined) return undefined
  // Not the reference's own default: beside a `$ref` is where a property's default stands.
  const value = node.schema['default']
  if (value === undefined || !fitsType(value, node.keywords['type']) || scanValue(value).kind === 'unsafe')
    return undefined
  return structuredClone(value)
}
