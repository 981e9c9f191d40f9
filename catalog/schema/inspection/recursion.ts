import type { JsonObject } from '../../json.ts'
import { isJsonObject } from '../../json.ts'
import { IN_PLACE_KEYWORDS } from '../keywords.ts'
import { SCHEMA_MAX_EXPANSIONS, SCHEMA_MAX_REFERENCE_DEPTH } from '../limits.ts'
import type { SchemaNode, SchemaNodes, SchemaProblem } from './schema-node.ts'

/** References that would never end, or that unroll into more than can be checked. */
export function recursionProblem(root: JsonObject, nodes: SchemaNodes): SchemaProblem | undefined {
  // Without references a schema is a tree, and the bounds on trees have been checked.
  if (![...nodes.values()].some((node) => node.references.length > 0)) return undefined
  const endless = endlessNode(nodes)
  if (endless !== undefined) {
    const reason = '$ref leads back to itself without going into the value'
    return { reason, keyword: '$ref', path: endless.path }
  }
  const { expansions, depth } = unrolled(root, nodes)
  if (expansions > SCHEMA_MAX_EXPANSIONS) {
    return { reason: `$ref unrolls into more than ${SCHEMA_MAX_EXPANSIONS} references`, keyword: '$ref' }
  }
  if (depth <= SCHEMA_MAX_REFERENCE_DEPTH) return undefined
  return { reason: `$ref leads through more than ${SCHEMA_MAX_REFERENCE_DEPTH} schemas in a row`, keyword: '$ref' }
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

interface Unrolled {
  /** References met when everything is unrolled, recursion counted once. */
  readonly expansions: number
  /** Most referenced schemas on one path. */
  readonly depth: number
}

/**
 * What a schema unrolls into. Schemas that are recursive through each other count once: printed or compiled they are
 * named, not unrolled. Strongly connected components by Tarjan; each is complete before what leads to it, so its sums
 * are there when they are needed.
 */
function unrolled(root: JsonObject, nodes: SchemaNodes): Unrolled {
  const targets = new Set([...nodes.values()].flatMap((node) => node.references))
  const seen = new Map<JsonObject, Component>()
  const sums = new Map<JsonObject, Unrolled>()
  const stack: JsonObject[] = []
  const connect = (schema: JsonObject): Component => {
    const own: Component = { index: seen.size, low: seen.size, isOpen: true }
    seen.set(schema, own)
    stack.push(schema)
    for (const next of successors(nodes.get(schema))) {
      const other = seen.get(next) ?? connect(next)
      if (other.isOpen) own.low = Math.min(own.low, other.low)
    }
    if (own.low === own.index) close(new Set(stack.splice(stack.indexOf(schema))))
    return own
  }
  const close = (members: ReadonlySet<JsonObject>) => {
    const inside = [...members].map((member) => nodes.get(member))
    const outside = inside.flatMap(successors).filter((next) => !members.has(next))
    const below = outside.map((next) => sums.get(next) ?? { expansions: 0, depth: 0 })
    const own = inside.reduce((count, node) => count + (node?.references.length ?? 0), 0)
    const expansions = below.reduce((count, sum) => count + sum.expansions, own)
    const named = [...members].filter((member) => targets.has(member)).length
    // Saturated, so that the sums of doubling chains stay exact numbers.
    const sum = {
      expansions: Math.min(expansions, SCHEMA_MAX_EXPANSIONS + 1),
      depth: named + below.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
    }
    for (const member of members) {
      sums.set(member, sum)
      const component = seen.get(member)
      if (component !== undefined) component.isOpen = false
    }
  }
  connect(root)
  return sums.get(root) ?? { expansions: 0, depth: 0 }
}

function successors(node: SchemaNode | undefined): readonly JsonObject[] {
  if (node === undefined) return []
  return [...node.references.filter(isJsonObject), ...node.children.map((child) => child.schema)]
}
