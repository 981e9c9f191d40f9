import type { Node } from 'acorn'

export function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value
  )
}

/** The nodes right below, with the key that holds each. */
export function childrenOf(node: Node): readonly (readonly [string, Node])[] {
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (Array.isArray(value)) return value.filter(isNode).map((child) => [key, child] as const)
    return isNode(value) ? [[key, value] as const] : []
  })
}

export function nodeAt(node: Node, key: string): Node | undefined {
  const value: unknown = Reflect.get(node, key)
  return isNode(value) ? value : undefined
}

export function nodesAt(node: Node, key: string): readonly Node[] {
  const value: unknown = Reflect.get(node, key)
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** All nodes below, without recursion: how deep they are nested is the sender's choice. */
export function walk(root: Node, visit: (node: Node) => 'enter' | 'skip'): void {
  const open: Node[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (visit(node) === 'enter') addChildren(node, open)
  }
}

/** Large programs have a hundred thousand nodes: nothing is made for one but its place in the list. */
function addChildren(node: Node, open: Node[]): void {
  const values: readonly unknown[] = Object.values(node)
  for (const value of values) {
    if (isNode(value)) open.push(value)
    if (!Array.isArray(value)) continue
    const items: readonly unknown[] = value
    for (const item of items) if (isNode(item)) open.push(item)
  }
}
