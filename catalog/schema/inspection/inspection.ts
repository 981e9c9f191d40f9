import type { JsonObject, JsonValue } from '../../json.ts'
import { isJsonObject } from '../../json.ts'
import type { Dialect } from '../dialect.ts'
import { dialectOf } from '../dialect.ts'
import { isKnownFormat } from '../compiled/formats.ts'
import type { NormalKeywords } from '../keywords.ts'
import {
  isSchema,
  isUnknownKeyword,
  isVoidKeyword,
  misshapenKeyword,
  normalKeywords,
  REFERENCE_KEYWORDS,
  SUBSCHEMA_KEYWORDS,
} from '../keywords.ts'
import {
  NOTES_MAX_COUNT,
  SCHEMA_MAX_DEPTH,
  SCHEMA_MAX_NODES,
  SCHEMA_MAX_NODES_UNEVALUATED,
  SCHEMA_MAX_PATTERNS,
} from '../limits.ts'
import { linearPattern } from '../compiled/pattern.ts'
import { recursionProblem } from './recursion.ts'
import type { References, Resource } from '../references.ts'
import { createReferences } from '../references.ts'
import type { SchemaEdge, SchemaNode, SchemaNodes, SchemaProblem } from './schema-node.ts'
import { sizeProblem } from './size.ts'
import { escapeToken } from '../value-scan.ts'

export type Inspection =
  | {
      readonly kind: 'sound'
      readonly notes: readonly string[]
      readonly root: JsonObject
      readonly nodes: SchemaNodes
    }
  | { readonly kind: 'quarantined'; readonly problem: SchemaProblem }

interface Walk {
  readonly dialect: Dialect
  readonly references: References
  readonly nodes: Map<JsonObject, SchemaNode>
  readonly notes: Set<string>
  /** Targets of references that stand where no keyword leads, walked after the rest. */
  readonly pending: { readonly schema: JsonObject; readonly path: string; readonly base: Resource }[]
  subschemas: number
  patterns: number
}

/** Walks all that the root reaches, within the bounds, without compiling anything. */
export function inspectSchema(root: JsonObject): Inspection {
  const tooLarge = sizeProblem(root)
  if (tooLarge !== undefined) return { kind: 'quarantined', problem: { reason: tooLarge } }
  const references = createReferences(root)
  const walk: Walk = {
    dialect: dialectOf(root),
    references,
    nodes: new Map(),
    notes: new Set(),
    pending: [{ schema: root, path: '#', base: references.document }],
    subschemas: 0,
    patterns: 0,
  }
  for (let next = walk.pending.pop(); next !== undefined; next = walk.pending.pop()) {
    const problem = visit(walk, next, 0)
    if (problem !== undefined) return { kind: 'quarantined', problem }
  }
  const problem = unevaluatedProblem(walk.nodes) ?? recursionProblem(root, walk.nodes)
  if (problem !== undefined) return { kind: 'quarantined', problem }
  return { kind: 'sound', notes: [...walk.notes].slice(0, NOTES_MAX_COUNT), root, nodes: walk.nodes }
}

function unevaluatedProblem(nodes: SchemaNodes): SchemaProblem | undefined {
  if (nodes.size <= SCHEMA_MAX_NODES_UNEVALUATED) return undefined
  for (const { keywords, path } of nodes.values()) {
    const keyword = ['unevaluatedProperties', 'unevaluatedItems'].find((name) => name in keywords)
    const reason = `schema with ${keyword} has more than ${SCHEMA_MAX_NODES_UNEVALUATED} subschemas`
    if (keyword !== undefined) return { reason, keyword, path }
  }
  return undefined
}

interface Place {
  readonly schema: JsonObject
  readonly path: string
  readonly base: Resource
}

function visit(walk: Walk, place: Place, depth: number): SchemaProblem | undefined {
  const { schema, path } = place
  if (walk.nodes.has(schema)) return undefined
  walk.subschemas += 1
  if (walk.subschemas > SCHEMA_MAX_NODES) return { reason: `schema has more than ${SCHEMA_MAX_NODES} subschemas` }
  if (depth > SCHEMA_MAX_DEPTH) return { reason: `schema is nested deeper than ${SCHEMA_MAX_DEPTH}`, path }
  const misshapen = misshapenKeyword(schema)
  if (misshapen !== undefined) {
    const { keyword, expected } = misshapen
    return { reason: `keyword "${keyword}" should be ${expected}, not ${shown(schema[keyword])}`, keyword, path }
  }
  const base = walk.references.enter(schema, place.base)
  const resolved = resolveAll(walk, { schema, path, base })
  if (resolved.kind === 'problem') return resolved.problem
  const keywords = normalKeywords(schema, walk.dialect)
  const children = childrenOf(schema, keywords, path)
  walk.nodes.set(schema, { schema, path, keywords, references: resolved.targets, children })
  const problem = noteNode(walk, schema, path)
  if (problem !== undefined) return problem
  for (const child of children) {
    const inner = visit(walk, { schema: child.schema, path: child.path, base }, depth + 1)
    if (inner !== undefined) return inner
  }
  return undefined
}

type Resolved =
  | { readonly kind: 'targets'; readonly targets: readonly (JsonObject | boolean)[] }
  | { readonly kind: 'problem'; readonly problem: SchemaProblem }

function resolveAll(walk: Walk, place: Place): Resolved {
  const targets: (JsonObject | boolean)[] = []
  for (const keyword of REFERENCE_KEYWORDS) {
    const reference = place.schema[keyword]
    if (typeof reference !== 'string') continue
    const found = walk.references.resolve(reference, place.base)
    if (found.kind !== 'found') {
      const what = found.kind === 'remote' ? 'points outside the schema' : 'points to nothing in the schema'
      const problem = { reason: `${keyword} ${shown(reference)} ${what}`, keyword, path: place.path }
      return { kind: 'problem', problem }
    }
    targets.push(found.schema)
    if (isJsonObject(found.schema)) {
      walk.pending.push({ schema: found.schema, path: pathOf(reference), base: found.base })
    }
  }
  return { kind: 'targets', targets }
}

function pathOf(reference: string): string {
  const hash = reference.indexOf('#')
  return hash < 0 ? reference : reference.slice(hash)
}

/** Subschemas with the keyword that leads to each; boolean schemas need no visit. */
function childrenOf(schema: JsonObject, keywords: NormalKeywords, path: string): SchemaEdge[] {
  const children: SchemaEdge[] = []
  const add = (keyword: string, entry: JsonValue | undefined, inner: string) => {
    if (isSchema(entry) && isJsonObject(entry)) children.push({ keyword, schema: entry, path: `${path}/${inner}` })
  }
  for (const keyword of Object.keys(keywords)) {
    const held = Object.hasOwn(SUBSCHEMA_KEYWORDS, keyword) ? SUBSCHEMA_KEYWORDS[keyword] : undefined
    const value = keywords[keyword]
    if (held === undefined || value === undefined) continue
    const written = writtenKeyword(schema, keyword)
    if (held === 'one') add(keyword, value, written)
    else if (Array.isArray(value))
      for (const [index, entry] of value.entries()) add(keyword, entry, `${written}/${index}`)
    else
      for (const [key, entry] of Object.entries(isJsonObject(value) ? value : {}))
        add(keyword, entry, `${written}/${escapeToken(key)}`)
  }
  return children
}

/** The keyword that the author wrote for one of the normal form. */
function writtenKeyword(schema: JsonObject, keyword: string): string {
  if (Object.hasOwn(schema, keyword) && !(keyword === 'items' && Array.isArray(schema['items']))) return keyword
  if (keyword === 'prefixItems') return 'items'
  return keyword === 'items' ? 'additionalItems' : 'dependencies'
}

/** Says what will not be enforced, and bounds the patterns. */
function noteNode(walk: Walk, schema: JsonObject, path: string): SchemaProblem | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    if (isVoidKeyword(keyword, value)) {
      walk.notes.add(`keyword ${shown(keyword)} is ${shown(value)} and is read as absent`)
    }
    if (isUnknownKeyword(keyword)) walk.notes.add(`unknown keyword ${shown(keyword)} is ignored`)
  }
  const format = schema['format']
  if (typeof format === 'string' && !isKnownFormat(format)) walk.notes.add(`unknown format ${shown(format)} is ignored`)
  if (walk.dialect === '2020-12' && Array.isArray(schema['items']))
    walk.notes.add('a list in "items" is read as a tuple')
  for (const pattern of patternsOf(schema)) {
    walk.patterns += 1
    if (walk.patterns > SCHEMA_MAX_PATTERNS) return { reason: `schema has more than ${SCHEMA_MAX_PATTERNS} patterns` }
    const compiled = linearPattern(pattern)
    if (compiled.kind === 'refused') {
      walk.notes.add(`pattern ${shown(pattern)} at ${path} is not enforced: ${compiled.reason}`)
    }
  }
  return undefined
}

function patternsOf(schema: JsonObject): readonly string[] {
  const { pattern, patternProperties } = schema
  const keys = isJsonObject(patternProperties) ? Object.keys(patternProperties) : []
  return typeof pattern === 'string' ? [pattern, ...keys] : keys
}

/** A value of the author's in a message: short, on one line, nothing invisible. */
function shown(value: JsonValue | undefined): string {
  const text = JSON.stringify(value ?? null).replace(/[^\x20-\x7e]/gu, '?')
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
