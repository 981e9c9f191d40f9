import type { JsonObject } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { IN_PLACE_KEYWORDS } from './keywords.ts'
import { SCHEMA_MAX_EXPANSIONS } from './limits.ts'
import type { SchemaNode, SchemaNodes, SchemaProblem } from './schema-node.ts'

/** References that would never end, or that unroll into more than can be checked. */
export function recursionProblem(root: JsonObject, nodes: SchemaNodes): SchemaProblem | undefined {
  const endless = endlessNode(nodes)
  if (endless !== undefined) {
    const reason = '$ref leads back to itself without going into the value'
    return { reason, keyword: '$ref', path: endless.path }
  }
  const expansions = countExpansions(root, nodes)
  if (expansions <= SCHEMA_MAX_EXPANSIONS) return undefined
  return { reason: `$ref unrolls into more than ${SCHEMA_MAX_EXPANSIONS} references`, keyword: '$ref' }
}

/** A node on a cycle of keywords that all look at the same value. */
function endlessNode(nodes: SchemaNodes): SchemaNode | undefined {
  const state = new Map<JsonObject, 'open' | 'done'>()
  const search = (schema: JsonObject): SchemaNode | undefined => {
    const node = nodes.get(schema)
    if (node === undefined || state.get(schema) === 'done') return undefined
    if (state.get(schema) === 'open') return node
    state.set(schema, 'open')
    for (const next of inPlace(node)) {
      const found = search(next)
      if (found !== undefined) return found
    }
    state.set(schema, 'done')
    return undefined
  }
  for (const schema of nodes.keys()) {
    const found = search(schema)
    if (found !== undefined) return found
  }
  return undefined
}

function inPlace(node: SchemaNode): readonly JsonObject[] {
  const applied = node.children.filter((child) => IN_PLACE_KEYWORDS.has(child.keyword)).map((child) => child.schema)
  return [...node.references.filter(isJsonObject), ...applied]
}

interface Component {
  index: number
  low: number
  isOpen: boolean
}

/**
 * References met when everything is unrolled. Schemas that are recursive through each other count once: printed or
 * compiled they are named, not unrolled. Strongly connected components by Tarjan; each is complete before what leads
 * to it, so its count is there when it is needed.
 */
function countExpansions(root: JsonObject, nodes: SchemaNodes): number {
  const seen = new Map<JsonObject, Component>()
  const total = new Map<JsonObject, number>()
  const stack: JsonObject[] = []
  const connect = (schema: JsonObject): Component => {
    const own: Component = { index: seen.size, low: seen.size, isOpen: true }
    seen.set(schema, own)
    stack.push(schema)
    for (const next of successors(nodes.get(schema))) {
      const other = seen.get(next) ?? connect(next)
      if (other.isOpen) own.low = Math.min(own.low, other.low)
    }
    if (own.low === own.index) close(schema)
    return own
  }
  const close = (head: JsonObject) => {
    const members = new Set(stack.splice(stack.indexOf(head)))
    let count = 0
    for (const member of members) {
      const node = nodes.get(member)
      count += node?.references.length ?? 0
      for (const next of successors(node)) if (!members.has(next)) count += total.get(next) ?? 0
    }
    // Saturated, so that the sums of doubling chains stay exact numbers.
    const bounded = Math.min(count, SCHEMA_MAX_EXPANSIONS + 1)
    for (const member of members) {
      total.set(member, bounded)
      const component = seen.get(member)
      if (component !== undefined) component.isOpen = false
    }
  }
  connect(root)
  return total.get(root) ?? 0
}

function successors(node: SchemaNode | undefined): readonly JsonObject[] {
  if (node === undefined) return []
  return [...node.references.filter(isJsonObject), ...node.children.map((child) => child.schema)]
}
