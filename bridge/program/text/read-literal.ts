import type { Node } from 'acorn'
import type { JsonValue } from '../../../catalog/json.ts'
import { createParser } from '../parsing/parse-program.ts'
import { nodeAt, nodesAt } from '../parsing/walk.ts'
import { LITERAL_DEPTH } from '../limits.ts'

/**
 * The value of a text that is nearly JSON: with the quotes and `None` of Python, names without quotes, comments, or a
 * comma too many. Undefined for whatever is more than data.
 */
export function readLiteral(text: string): JsonValue | undefined {
  const parsed = createParser()(`(${text}\n)`, 'javascript')
  const [only, ...others] = parsed.kind === 'program' ? parsed.program.body : []
  if (only?.type !== 'ExpressionStatement' || others.length > 0) return undefined
  return valueOf(only.expression, LITERAL_DEPTH)
}

const WORDS: ReadonlyMap<unknown, JsonValue> = new Map([
  ['None', null],
  ['True', true],
  ['False', false],
])

function valueOf(node: Node, depth: number): JsonValue | undefined {
  if (depth === 0) return undefined
  switch (node.type) {
    case 'Literal':
      return literalOf(Reflect.get(node, 'value'))
    case 'TemplateLiteral':
      return nodesAt(node, 'expressions').length > 0 ? undefined : literalOf(cookedOf(node))
    case 'Identifier':
      return WORDS.get(Reflect.get(node, 'name'))
    case 'ArrayExpression':
      return all(nodesAt(node, 'elements').map((element) => valueOf(element, depth - 1)))
    case 'ObjectExpression':
      return objectOf(nodesAt(node, 'properties'), depth - 1)
    default:
      return undefined
  }
}

function objectOf(properties: readonly Node[], depth: number): JsonValue | undefined {
  const entries = all(
    properties.map((property): readonly [string, JsonValue] | undefined => {
      const key = nodeAt(property, 'key')
      const value = nodeAt(property, 'value')
      if (property.type !== 'Property' || Reflect.get(property, 'computed') === true) return undefined
      const name: unknown = Reflect.get(key ?? {}, key?.type === 'Identifier' ? 'name' : 'value')
      const held = value === undefined ? undefined : valueOf(value, depth)
      return held === undefined ? undefined : [String(name), held]
    }),
  )
  return entries === undefined ? undefined : Object.fromEntries(entries)
}

function literalOf(value: unknown): JsonValue | undefined {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? JSON.parse(JSON.stringify(value))
    : undefined
}

function cookedOf(template: Node): unknown {
  const [only] = nodesAt(template, 'quasis')
  const value: unknown = Reflect.get(only ?? {}, 'value')
  return typeof value === 'object' && value !== null ? Reflect.get(value, 'cooked') : undefined
}

/** The list, where nothing in it is missing. */
function all<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  return values.every((value) => value !== undefined) ? values : undefined
}
