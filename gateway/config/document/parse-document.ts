import type { DocumentNode, MemberNode, ObjectNode, ValueNode } from '@humanwhocodes/momoa'
import { parse } from '@humanwhocodes/momoa'
import type { JsonValue } from '../../../catalog/json.ts'
import type { ConfigProblem, Position } from '../config-problem.ts'
import { CONFIG_DEPTH, CONFIG_FILE_BYTES } from '../limits.ts'
import type { ConfigPath } from './config-path.ts'
import { isForbiddenKey } from './config-path.ts'

/** A JSON5 text with its values and where they stand. */
export interface ConfigDocument {
  readonly text: string
  readonly tree: DocumentNode
  readonly value: JsonValue
  /** Where the value stands, or the nearest one around it that exists. */
  positionOf(path: ConfigPath): Position
}

export type ParsedDocument =
  | { readonly kind: 'document'; readonly document: ConfigDocument }
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] }

/** Reads JSON5; refuses a key that stands twice, keys that reach a prototype, and numbers that JSON cannot hold. */
export function parseDocument(text: string): ParsedDocument {
  if (Buffer.byteLength(text) > CONFIG_FILE_BYTES) {
    return syntaxError(`is ${Buffer.byteLength(text)} bytes; a configuration has at most ${CONFIG_FILE_BYTES}`)
  }
  // A file that someone has just made says nothing yet.
  const tree = parseTree(text.trim() === '' ? '{}' : text)
  if (tree.kind === 'invalid') return tree
  const problems: ConfigProblem[] = []
  const value = evaluate(tree.tree.body, [], problems)
  if (problems.length > 0) return { kind: 'invalid', problems }
  return {
    kind: 'document',
    document: { text, tree: tree.tree, value, positionOf: (path) => nearestPosition(tree.tree.body, path) },
  }
}

/** The member with this key. */
export function memberOf(node: ObjectNode, key: string | number): MemberNode | undefined {
  return node.members.find((member) => keyOf(member) === String(key))
}

function keyOf(member: MemberNode): string {
  return member.name.type === 'String' ? member.name.value : member.name.name
}

function parseTree(text: string): { kind: 'tree'; tree: DocumentNode } | Extract<ParsedDocument, { kind: 'invalid' }> {
  try {
    return { kind: 'tree', tree: parse(text, { mode: 'json5', ranges: true, tokens: true }) }
  } catch (error) {
    if (error instanceof RangeError) return syntaxError(`is nested deeper than ${CONFIG_DEPTH} levels`)
    const found = placeOfError(error)
    if (!found || found.isEnd) return syntaxError('ends inside an open object, array, string or comment', endOf(text))
    const character = JSON.stringify(String.fromCodePoint(text.codePointAt(found.offset) ?? 0))
    return syntaxError(`is not valid JSON5: ${character} is not expected here`, found.position)
  }
}

/** The parser's errors carry a place; that of an early end is not where the text ends. */
function placeOfError(error: unknown) {
  if (!(error instanceof Error) || !('line' in error && 'column' in error && 'offset' in error)) throw error
  const { line, column, offset } = error
  if (typeof line !== 'number' || typeof column !== 'number' || typeof offset !== 'number') return undefined
  return { offset, position: { line, column }, isEnd: error.constructor.name === 'UnexpectedEOF' }
}

function endOf(text: string): Position {
  const lines = text.trimEnd().split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

function syntaxError(message: string, position?: Position): Extract<ParsedDocument, { kind: 'invalid' }> {
  return { kind: 'invalid', problems: [{ kind: 'syntax', path: [], message, ...(position && { position }) }] }
}

function evaluate(node: ValueNode, path: ConfigPath, problems: ConfigProblem[]): JsonValue {
  const report = (message: string, at: ValueNode | MemberNode = node, where = path): null => {
    problems.push({ kind: 'syntax', path: where, message, position: startOf(at) })
    return null
  }
  if (path.length > CONFIG_DEPTH) return report(`is nested deeper than ${CONFIG_DEPTH} levels`)
  switch (node.type) {
    case 'Null':
      return null
    case 'NaN':
    case 'Infinity':
      return report(`is ${node.sign}${node.type}; only finite numbers can be used`)
    case 'Boolean':
    case 'Number':
    case 'String':
      return node.value
    case 'Array':
      return node.elements.map((element, index) => evaluate(element.value, [...path, index], problems))
    case 'Object':
      break
  }
  const entries = new Map<string, JsonValue>()
  for (const member of node.members) {
    const key = keyOf(member)
    const where = [...path, key]
    if (isForbiddenKey(key)) report(`the key "${key}" is refused`, member, where)
    else if (entries.has(key)) report('stands twice in the file; remove one of the two', member, where)
    else entries.set(key, evaluate(member.value, where, problems))
  }
  return Object.fromEntries(entries)
}

function nearestPosition(root: ValueNode, path: ConfigPath): Position {
  let node = root
  let nearest = startOf(root)
  for (const key of path) {
    if (node.type === 'Object') {
      const member = memberOf(node, key)
      if (!member) return nearest
      nearest = startOf(member)
      node = member.value
    } else {
      const element = node.type === 'Array' ? node.elements[Number(key)] : undefined
      if (!element) return nearest
      nearest = startOf(element.value)
      node = element.value
    }
  }
  return nearest
}

function startOf(node: ValueNode | MemberNode): Position {
  return { line: node.loc.start.line, column: node.loc.start.column }
}
