import type { Function, Node, Pattern } from 'acorn'
import { nodeAt, walk } from '../parsing/walk.ts'

/**
 * What a function takes that nobody can give it, and that it uses as if it were there: called without, it sends
 * `undefined` to its tools. What has a default, is asked for first (`input?.city`, `name ?? 'x'`) or is not used may be
 * absent.
 */
export function unfilledParameters(
  { params, body }: Pick<Function, 'params' | 'body'>,
  isGiven: (name: string) => boolean,
): readonly string[] {
  const names = params.flatMap(namesOf).filter((name) => !isGiven(name))
  if (names.length === 0) return []
  const { used, asked } = usesIn(body)
  return names.filter((name) => used.has(name) && !asked.has(name))
}

function namesOf(param: Pattern): readonly string[] {
  if (param.type === 'Identifier') return [param.name]
  if (param.type !== 'ObjectPattern') return []
  return param.properties.flatMap((property) =>
    property.type === 'Property' && property.value.type === 'Identifier' ? [property.value.name] : [],
  )
}

interface Uses {
  readonly used: ReadonlySet<string>
  /** Looked at in a way that is right for what is not there. */
  readonly asked: ReadonlySet<string>
}

function usesIn(body: Node): Uses {
  const used = new Set<string>()
  const asked = new Set<string>()
  const notNames = new Set<Node | undefined>()
  walk(body, (node) => {
    const key = KEYS.get(node.type)
    if (key !== undefined && Reflect.get(node, 'computed') !== true) notNames.add(nodeAt(node, key))
    const name = askedName(node)
    if (name !== undefined) asked.add(name)
    if (node.type === 'Identifier' && !notNames.has(node)) used.add(String(Reflect.get(node, 'name')))
    return 'enter'
  })
  return { used, asked }
}

const KEYS: ReadonlyMap<string, string> = new Map([
  ['MemberExpression', 'property'],
  ['Property', 'key'],
  ['MethodDefinition', 'key'],
  ['PropertyDefinition', 'key'],
])

/** Where a node asks whether something is there, and which operand it asks of. */
const ASKING: ReadonlyMap<string, string> = new Map([
  ['LogicalExpression', 'left'],
  ['UnaryExpression', 'argument'],
  ['IfStatement', 'test'],
  ['ConditionalExpression', 'test'],
  ['BinaryExpression', 'left'],
  ['AssignmentExpression', 'left'],
])

function askedName(node: Node): string | undefined {
  if (node.type === 'MemberExpression' && Reflect.get(node, 'optional') === true) return nameOf(nodeAt(node, 'object'))
  const key = ASKING.get(node.type)
  if (key === undefined) return undefined
  if (node.type === 'BinaryExpression' && !/^[=!]==?$/.test(String(Reflect.get(node, 'operator')))) return undefined
  return nameOf(nodeAt(node, key))
}

function nameOf(node: Node | undefined): string | undefined {
  return node?.type === 'Identifier' ? String(Reflect.get(node, 'name')) : undefined
}
