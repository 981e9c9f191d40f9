import type { JsonObject, JsonValue } from '../../json.ts'
import { isJsonObject } from '../../json.ts'
import type { SchemaNodes, SchemaProblem } from './schema-node.ts'

/** Arguments are always an object, so an input schema that no object can meet makes a tool that cannot be called. */
export function rootProblem(root: JsonObject, nodes: SchemaNodes): SchemaProblem | undefined {
  if (acceptsObjects(root, nodes)) return undefined
  return { reason: 'input schema accepts no object, and arguments are always one', keyword: 'type', path: '#' }
}

/** In-place keywords cannot form a cycle here: inspection has refused it. */
function acceptsObjects(schema: JsonValue, nodes: SchemaNodes): boolean {
  if (!isJsonObject(schema)) return schema !== false
  const node = nodes.get(schema)
  if (node === undefined) return true
  const { type, allOf, anyOf, oneOf } = node.keywords
  if (type !== undefined && ![type].flat().includes('object')) return false
  const must = [...node.references, ...(Array.isArray(allOf) ? allOf : [])]
  if (!must.every((part) => acceptsObjects(part, nodes))) return false
  return [anyOf, oneOf].every((parts) => !Array.isArray(parts) || parts.some((part) => acceptsObjects(part, nodes)))
}
