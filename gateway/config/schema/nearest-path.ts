import { childOf } from '../../schema/find-problems.ts'
import { nearestName } from '../../schema/nearest-name.ts'
import type { SchemaNode } from '../../schema/schema-node.ts'
import type { ConfigPath } from '../document/config-path.ts'

/** The path that was probably meant, as far as its first slip; undefined where the schema knows every step, or nothing is near. */
export function nearestPath(schema: SchemaNode, path: ConfigPath): ConfigPath | undefined {
  let node = schema
  for (const [at, key] of path.entries()) {
    if (typeof key !== 'string') return undefined
    const shape = node.anyOf?.find((branch) => branch.properties !== undefined) ?? node
    const child = childOf(shape, key)
    if (child === undefined) {
      const nearest = nearestName(key, Object.keys(shape.properties ?? {}))
      return nearest === undefined ? undefined : [...path.slice(0, at), nearest]
    }
    node = child
  }
  return undefined
}
