import type { Node, Program } from 'acorn'
import type { Edit } from '../text/edited-text.ts'
import { enumObject } from './enum-object.ts'
import { parameterPropertyEdits } from './parameter-properties.ts'
import { childrenOf, isNode, nodeAt, nodesAt } from './walk.ts'

export type Stripped =
  | { readonly kind: 'stripped'; readonly edits: readonly Edit[] }
  /** TypeScript that makes code of its own and cannot just be left out. */
  | { readonly kind: 'unsupported'; readonly message: string; readonly hint: string; readonly offset: number }

/** What to leave out so that a TypeScript program is the JavaScript program that it stands for. */
export function stripTypes(text: string, program: Program): Stripped {
  const edits: Edit[] = []
  const open: Node[] = [program]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const refused = isErased(node) ? undefined : unsupported(node)
    if (refused !== undefined) return { kind: 'unsupported', ...refused, offset: node.start }
    if (node.type === 'TSEnumDeclaration' && !flag(node, 'declare')) {
      edits.push({ start: node.start, end: node.end, text: enumObject(text, node) })
      continue
    }
    if (isErased(node)) {
      // A semicolon, or what stands before and after would be read as one statement.
      edits.push({ start: node.start, end: node.end, text: ';' })
      continue
    }
    edits.push(...ownEdits(text, node))
    for (const [key, child] of childrenOf(node)) if (!TYPE_KEYS.has(key)) open.push(child)
  }
  return { kind: 'stripped', edits }
}

const TYPE_KEYS: ReadonlySet<string> = new Set([
  'typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeParameters', 'implements',
]) // prettier-ignore

const ERASED: ReadonlySet<string> = new Set([
  'TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSDeclareFunction', 'TSIndexSignature', 'TSAbstractMethodDefinition', 'TSAbstractPropertyDefinition',
]) // prettier-ignore

function isErased(node: Node): boolean {
  if (ERASED.has(node.type) || flag(node, 'declare')) return true
  if (node.type.startsWith('Export') && !node.type.endsWith('Specifier') && flag(node, 'exportKind') === 'type')
    return true
  if (node.type === 'ImportDeclaration') return flag(node, 'importKind') === 'type' || hasOnlyTypes(node)
  if (node.type === 'TSModuleDeclaration') return holdsOnlyTypes(node)
  const isMember = node.type === 'MethodDefinition' || node.type === 'PropertyDefinition'
  if (isMember && (flag(node, 'abstract') || nodeAt(node, 'value')?.type === 'TSDeclareMethod')) return true
  return node.type === 'ExportDefaultDeclaration' && nodeAt(node, 'declaration')?.type === 'TSDeclareFunction'
}

/** `import { type A, type B }`. */
function hasOnlyTypes(node: Node): boolean {
  const specifiers = nodesAt(node, 'specifiers')
  return specifiers.length > 0 && specifiers.every((specifier) => flag(specifier, 'importKind') === 'type')
}

/** A namespace that makes no code. */
function holdsOnlyTypes(node: Node): boolean {
  const body = nodeAt(node, 'body')
  if (body?.type === 'TSModuleDeclaration') return holdsOnlyTypes(body)
  return nodesAt(body ?? node, 'body').every((statement) =>
    isErased(statement.type === 'ExportNamedDeclaration' ? (nodeAt(statement, 'declaration') ?? statement) : statement),
  )
}

function unsupported(node: Node): { readonly message: string; readonly hint: string } | undefined {
  if (flag(node, 'declare')) return undefined
  switch (node.type) {
    case 'TSModuleDeclaration':
      return {
        message: 'namespace is not supported',
        hint: 'types are left out, not compiled; write an object or plain functions',
      }
    case 'TSImportEqualsDeclaration':
    case 'TSExportAssignment':
    case 'TSNamespaceExportDeclaration':
      return {
        message: 'import = and export = are not supported',
        hint: 'a program has no modules; `tools` is a global',
      }
    default:
      return undefined
  }
}

function ownEdits(text: string, node: Node): readonly Edit[] {
  const edits: Edit[] = []
  for (const [key, child] of childrenOf(node)) {
    if (key === 'implements' || !TYPE_KEYS.has(key) || !child.type.startsWith('TS')) continue
    if (CASTS.has(node.type)) continue
    edits.push({ start: markBefore(text, child.start), end: child.end, text: ' ' })
  }
  return [
    ...edits,
    ...castEdits(text, node),
    ...nameEdits(text, node),
    ...memberEdits(text, node),
    ...listEdits(text, node),
    ...parameterPropertyEdits(node),
  ]
}

const CASTS: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSNonNullExpression',
])

/** The `?` or `!` between a name and its type. */
function markBefore(text: string, start: number): number {
  const before = text.slice(0, start).trimEnd()
  return text[start] === ':' && (before.endsWith('?') || before.endsWith('!')) ? before.length - 1 : start
}

function castEdits(text: string, node: Node): readonly Edit[] {
  const type = nodeAt(node, 'typeAnnotation')
  if (node.type === 'TSNonNullExpression') return [{ start: node.end - 1, end: node.end, text: ' ' }]
  if (type === undefined) return []
  if (node.type === 'TSTypeAssertion') return [{ start: node.start, end: text.indexOf('>', type.end) + 1, text: ' ' }]
  const word = node.type === 'TSAsExpression' ? 'as' : node.type === 'TSSatisfiesExpression' ? 'satisfies' : undefined
  if (word === undefined) return []
  // After a type a bracket on the next line begins a new statement; after the bare value it would not.
  const isBeforeBracket = /^[ \t]*(?:\/\/[^\n]*)?\r?\n\s*[[(`]/.test(text.slice(node.end, node.end + 400))
  return [{ start: text.lastIndexOf(word, type.start - 1), end: node.end, text: isBeforeBracket ? ';' : ' ' }]
}

/** Optional names without a type, `this` as a parameter, `abstract class`. */
function nameEdits(text: string, node: Node): readonly Edit[] {
  if (node.type === 'Identifier' && flag(node, 'optional') && nodeAt(node, 'typeAnnotation') === undefined) {
    const mark = text.indexOf('?', node.end - 1)
    return mark >= 0 && mark <= node.end ? [{ start: mark, end: mark + 1, text: ' ' }] : []
  }
  if (flag(node, 'abstract') && node.type.startsWith('Class'))
    return [{ start: node.start, end: node.start + 'abstract'.length, text: ' ' }]
  const params: unknown = Reflect.get(node, 'params')
  const [first, second] = Array.isArray(params) ? params.filter(isNode) : []
  if (first?.type !== 'Identifier' || flag(first, 'name') !== 'this') return []
  return [{ start: first.start, end: second?.start ?? first.end, text: ' ' }]
}

/** Modifiers before a class member's name, and the mark after it. */
function memberEdits(text: string, node: Node): readonly Edit[] {
  const key = nodeAt(node, 'key')
  const isMember =
    node.type === 'MethodDefinition' || node.type === 'PropertyDefinition' || node.type === 'AccessorProperty'
  if (!isMember || key === undefined) return []
  const isComputed = flag(node, 'computed') === true
  const nameStart = isComputed ? text.lastIndexOf('[', key.start) : key.start
  const before = text.slice(node.start, nameStart)
  const modifiers = [...before.matchAll(/\b(?:public|private|protected|readonly|abstract|override|declare)\b/g)]
  const edits = modifiers.map((word) => ({
    start: node.start + word.index,
    end: node.start + word.index + word[0].length,
    text: ' ',
  }))
  const nameEnd = isComputed ? text.indexOf(']', key.end) + 1 : key.end
  // With a type the mark goes with it.
  if (nodeAt(node, 'typeAnnotation') !== undefined) return edits
  const mark = /^\s*[?!](?!\.)/.exec(text.slice(nameEnd, node.end))
  return mark === null ? edits : [...edits, { start: nameEnd, end: nameEnd + mark[0].length, text: ' ' }]
}

/** `implements A, B`, and types in lists of imports and exports. */
function listEdits(text: string, node: Node): readonly Edit[] {
  const implemented: unknown = Reflect.get(node, 'implements')
  const [first] = Array.isArray(implemented) ? implemented.filter(isNode) : []
  const body = nodeAt(node, 'body')
  if (first !== undefined && body !== undefined) {
    return [{ start: text.lastIndexOf('implements', first.start), end: body.start, text: ' ' }]
  }
  const isType = flag(node, 'importKind') === 'type' || flag(node, 'exportKind') === 'type'
  if (!isType || !node.type.endsWith('Specifier')) return []
  const comma = /^\s*,/.exec(text.slice(node.end))
  return [{ start: node.start, end: node.end + (comma?.[0].length ?? 0), text: ' ' }]
}

function flag(node: Node, key: string): unknown {
  return Reflect.get(node, key)
}
