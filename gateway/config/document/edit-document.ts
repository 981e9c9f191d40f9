import type { ValueNode } from '@humanwhocodes/momoa'
import type { JsonValue } from '../../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../../catalog/json.ts'
import type { ConfigProblem } from '../config-problem.ts'
import type { ConfigPath } from './config-path.ts'
import { formatPath, valueAt } from './config-path.ts'
import type { ConfigDocument } from './parse-document.ts'
import { memberOf, parseDocument } from './parse-document.ts'
import { printKey, printValue } from './print-value.ts'
import type { Splice } from './splice-items.ts'
import { applySplices, insertItem, removeItem } from './splice-items.ts'
import type { TextStyle } from './text-style.ts'
import { textStyleOf } from './text-style.ts'

export type EditResult =
  | { readonly kind: 'edited'; readonly text: string }
  /** The file says so already; it stays byte for byte. */
  | { readonly kind: 'unchanged' }
  /** There is nothing at the path to take away. */
  | { readonly kind: 'absent' }
  /** What stands there forbids the edit; the message says what, and the way out. */
  | { readonly kind: 'conflict'; readonly message: string }
  | { readonly kind: 'refused'; readonly problems: readonly ConfigProblem[] }

/** Puts a value at a path; every byte that has nothing to do with it stays, comments included. */
export function setPath(text: string, path: ConfigPath, value: JsonValue): EditResult {
  const parsed = parseDocument(text.trim() === '' ? '{}\n' : text)
  if (parsed.kind === 'invalid') return { kind: 'refused', problems: parsed.problems }
  const { document } = parsed
  const present = valueAt(document.value, path)
  if (present !== undefined && canonicalJson(present) === canonicalJson(value)) return { kind: 'unchanged' }
  const place = findPlace(document, path)
  if (place.kind === 'blocked') return refuse(place.path, place.message)
  const style = textStyleOf(document.text, document.tree)
  const edited = applySplices(document.text, splicesFor({ document, place, style, value }))
  return verified(edited, path, replaceAt(document.value, path, value))
}

/** Takes away what stands at a path. */
export function unsetPath(text: string, path: ConfigPath): EditResult {
  const parsed = parseDocument(text)
  if (parsed.kind === 'invalid') return { kind: 'refused', problems: parsed.problems }
  const { document } = parsed
  if (valueAt(document.value, path) === undefined) return { kind: 'absent' }
  const parent = nodeAt(document.tree.body, path.slice(0, -1))
  const key = path.at(-1)
  if (key === undefined || (parent?.type !== 'Object' && parent?.type !== 'Array')) return { kind: 'absent' }
  const index =
    parent.type === 'Array' ? Number(key) : parent.members.findIndex((member) => member === memberOf(parent, key))
  const edited = applySplices(document.text, removeItem(document, parent, index))
  return verified(edited, path, replaceAt(document.value, path, undefined))
}

type Place =
  | { readonly kind: 'value'; readonly node: ValueNode; readonly rest: ConfigPath }
  /** The container is there and lacks the first key of `rest`. */
  | { readonly kind: 'gap'; readonly node: ValueNode; readonly rest: ConfigPath }
  | { readonly kind: 'blocked'; readonly path: ConfigPath; readonly message: string }

function findPlace(document: ConfigDocument, path: ConfigPath): Place {
  let node: ValueNode = document.tree.body
  for (const [index, key] of path.entries()) {
    const above = path.slice(0, index)
    if (node.type === 'Object') {
      if (typeof key === 'number')
        return { kind: 'blocked', path: above, message: `is an object; [${key}] is for lists` }
      const member = memberOf(node, key)
      if (!member) return gapAt(node, path, index)
      node = member.value
    } else if (node.type === 'Array') {
      const { elements } = node
      if (typeof key !== 'number')
        return { kind: 'blocked', path: above, message: `is a list; use [0] to [${elements.length}]` }
      const element = elements[key]
      if (!element && key === elements.length) return gapAt(node, path, index)
      if (!element)
        return {
          kind: 'blocked',
          path: above,
          message: `has ${elements.length} entries; the next is [${elements.length}]`,
        }
      node = element.value
    } else {
      return {
        kind: 'blocked',
        path: above,
        message: `is neither an object nor a list; set ${formatPath(above)} as a whole`,
      }
    }
  }
  return { kind: 'value', node, rest: [] }
}

/** A list that is made for the value begins at [0]. */
function gapAt(node: ValueNode, path: ConfigPath, index: number): Place {
  const skipping = path.findIndex((key, at) => at > index && typeof key === 'number' && key > 0)
  if (skipping === -1) return { kind: 'gap', node, rest: path.slice(index) }
  return { kind: 'blocked', path: path.slice(0, skipping), message: 'is not there yet; its first entry is [0]' }
}

function splicesFor(edit: {
  readonly document: ConfigDocument
  readonly place: Exclude<Place, { kind: 'blocked' }>
  readonly style: TextStyle
  readonly value: JsonValue
}): readonly Splice[] {
  const { document, place, style, value } = edit
  const { node, rest } = place
  const [key, ...deeper] = rest
  if (key === undefined || (node.type !== 'Object' && node.type !== 'Array')) {
    const start = node.loc.start.offset
    const base = indentOf(document.text, start)
    return [{ start, end: node.loc.end.offset, text: printValue(value, style, base) }]
  }
  const nested = deeper.reduceRight<JsonValue>(
    (inner, each) => (typeof each === 'number' ? [inner] : { [each]: inner }),
    value,
  )
  const print = (base: string): string => {
    const printed = printValue(nested, style, base)
    return node.type === 'Object' ? `${printKey(String(key), style)}: ${printed}` : printed
  }
  return insertItem(document, node, { style, print })
}

function indentOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? ''
}

function nodeAt(root: ValueNode, path: ConfigPath): ValueNode | undefined {
  let node: ValueNode | undefined = root
  for (const key of path) {
    if (node?.type === 'Object') node = memberOf(node, key)?.value
    else node = node?.type === 'Array' ? node.elements[Number(key)]?.value : undefined
  }
  return node
}

/** A splice that went wrong must never reach the file. */
function verified(text: string, path: ConfigPath, expected: JsonValue): EditResult {
  const parsed = parseDocument(text)
  if (parsed.kind === 'document' && canonicalJson(parsed.document.value) === canonicalJson(expected)) {
    return { kind: 'edited', text }
  }
  throw new Error(`editing ${formatPath(path)} gave a text that says something else`)
}

/** The value with another at the path, or with nothing there. */
function replaceAt(value: JsonValue, [key, ...rest]: ConfigPath, put: JsonValue | undefined): JsonValue {
  if (key === undefined) return put ?? null
  if (typeof key === 'number') {
    const items = Array.isArray(value) ? value : []
    const changed = rest.length === 0 && put === undefined ? [] : [replaceAt(items[key] ?? null, rest, put)]
    return [...items.slice(0, key), ...changed, ...items.slice(key + 1)]
  }
  const { [key]: own, ...others } = isJsonObject(value) ? value : {}
  return rest.length === 0 && put === undefined ? others : { ...others, [key]: replaceAt(own ?? null, rest, put) }
}

function refuse(path: ConfigPath, message: string): EditResult {
  return { kind: 'refused', problems: [{ kind: 'invalid', path, message }] }
}
