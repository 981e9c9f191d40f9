import type { Node } from 'acorn'
import { nodeAt, nodesAt } from './walk.ts'

/** The declaration of an object that is what the compiler makes of an `enum`: names to values, and numbers to names. */
export function enumObject(text: string, node: Node): string {
  const name = nameOf(nodeAt(node, 'id'))
  const members = nodesAt(node, 'members').map((member) => readMember(text, member))
  const pairs = literalPairs(members)
  if (pairs !== undefined) return `const ${name} = { ${pairs.join(', ')} };`
  // A value may be worked out from the ones before it, by their bare names.
  const words = wordsOf(members)
  const steps = members.map(({ key, isName, init }) => {
    const value = `$add(${JSON.stringify(key)}${init === undefined ? '' : `, (${init.text})`})`
    return isName && words.has(key) ? `const ${key} = ${value};` : `${value};`
  })
  return `const ${name} = ((${name}) => { ${adder(name)} ${steps.join(' ')} return ${name}; })({});`
}

function adder(name: string): string {
  const toName = `if (typeof value === "number") { $last = value; ${name}[value] = key; }`
  return `let $last = -1; const $add = (key, value = $last + 1) => { ${name}[key] = value; ${toName} return value; };`
}

interface Member {
  readonly key: string
  /** Written as a name, by which other members may use it. */
  readonly isName: boolean
  readonly init?: { readonly text: string; readonly literal: string | number | undefined }
}

function readMember(text: string, member: Node): Member {
  const id = nodeAt(member, 'id')
  const init = nodeAt(member, 'initializer')
  return {
    key: nameOf(id),
    isName: id?.type === 'Identifier',
    ...(init !== undefined && { init: { text: text.slice(init.start, init.end), literal: literalOf(init) } }),
  }
}

/** `"Red": 0` and `0: "Red"` for each; undefined where a value must be worked out. */
function literalPairs(members: readonly Member[]): readonly string[] | undefined {
  const pairs: string[] = []
  let next: number | undefined = 0
  for (const { key, init } of members) {
    const value: string | number | undefined = init === undefined ? next : init.literal
    if (value === undefined) return undefined
    pairs.push(`${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    if (typeof value === 'number') pairs.push(`${JSON.stringify(String(value))}: ${JSON.stringify(key)}`)
    next = typeof value === 'number' ? value + 1 : undefined
  }
  return pairs
}

function literalOf(node: Node): string | number | undefined {
  const value: unknown = node.type === 'Literal' ? Reflect.get(node, 'value') : undefined
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/** Words of the values that must be worked out. */
function wordsOf(members: readonly Member[]): ReadonlySet<string> {
  const texts = members.flatMap(({ init }) => (init === undefined || init.literal !== undefined ? [] : init.text))
  return new Set(texts.flatMap((text) => text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []))
}

function nameOf(node: Node | undefined): string {
  if (node === undefined) return ''
  return String(Reflect.get(node, node.type === 'Identifier' ? 'name' : 'value'))
}
