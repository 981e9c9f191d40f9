import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { isSchema } from './keywords.ts'

/** A schema with an `$id` of its own: what `#` and relative references inside it start from. */
export interface Resource {
  readonly root: JsonObject
  readonly uri: string
}

export type Resolution =
  | { readonly kind: 'found'; readonly schema: JsonObject | boolean; readonly base: Resource }
  | { readonly kind: 'remote' }
  | { readonly kind: 'missing' }

/** Resolves the `$ref`s of one schema document. It never looks outside the document. */
export interface References {
  readonly document: Resource
  resolve(reference: string, base: Resource): Resolution
  /** The base of what stands inside this subschema: its own where it has an `$id`. */
  enter(schema: JsonObject, base: Resource): Resource
}

/** Values that are looked at for `$id` and anchors; far above what the bounds of a compiled schema allow. */
const INDEX_MAX_VALUES = 50_000

const DOCUMENT_URI = 'schema:///document'

interface ReferenceIndex {
  readonly resources: ReadonlyMap<string, Resource>
  readonly anchors: ReadonlyMap<string, Resource>
}

export function createReferences(root: JsonObject): References {
  const document: Resource = { root, uri: resolveUri(DOCUMENT_URI, ownId(root) ?? '') }
  // Most schemas have neither ids nor anchors, so the document is indexed when a reference first needs it.
  let index: ReferenceIndex | undefined
  const indexed = () => (index ??= indexDocument(document))
  return {
    document,
    enter,
    resolve(reference, base) {
      const hash = reference.indexOf('#')
      const address = hash < 0 ? reference : reference.slice(0, hash)
      const fragment = hash < 0 ? '' : reference.slice(hash + 1)
      const resource = address === '' ? base : indexed().resources.get(resolveUri(base.uri, address))
      if (resource === undefined) return { kind: 'remote' }
      if (fragment === '') return { kind: 'found', schema: resource.root, base: resource }
      if (fragment.startsWith('/')) return followPointer(fragment, resource)
      const target = indexed().anchors.get(`${resource.uri}#${fragment}`)
      return target === undefined ? { kind: 'missing' } : { kind: 'found', schema: target.root, base: resource }
    },
  }
}

function enter(schema: JsonObject, base: Resource): Resource {
  const id = schema === base.root ? undefined : ownId(schema)
  return id === undefined ? base : { root: schema, uri: resolveUri(base.uri, id) }
}

/** `$id: "#name"` is how draft-07 writes an anchor: it starts no resource. */
function ownId(schema: JsonObject): string | undefined {
  const id = schema['$id']
  return typeof id === 'string' && !id.startsWith('#') ? id : undefined
}

function resolveUri(base: string, reference: string): string {
  const parsed = URL.parse(reference, base)
  if (parsed === null) return reference
  parsed.hash = ''
  return parsed.href
}

function followPointer(pointer: string, resource: Resource): Resolution {
  let value: JsonValue | undefined = resource.root
  let base = resource
  for (const token of pointer.slice(1).split('/')) {
    value = child(value, decodeToken(token))
    if (value === undefined) return { kind: 'missing' }
    if (isJsonObject(value)) base = enter(value, base)
  }
  return isSchema(value) ? { kind: 'found', schema: value, base } : { kind: 'missing' }
}

function child(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  if (isJsonObject(value)) return value[key]
  return Array.isArray(value) && /^\d+$/.test(key) ? value[Number(key)] : undefined
}

function decodeToken(token: string): string {
  return percentDecoded(token).replaceAll('~1', '/').replaceAll('~0', '~')
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not percent-encoded after all, as `#/$defs/100%`: the text is what it says.
    return text
  }
}

function indexDocument(document: Resource): ReferenceIndex {
  const resources = new Map([[document.uri, document]])
  const anchors = new Map<string, Resource>()
  const pending: [JsonValue, Resource][] = [[document.root, document]]
  let seen = 0
  for (let next = pending.pop(); next !== undefined && seen < INDEX_MAX_VALUES; next = pending.pop()) {
    const [value, outer] = next
    seen += 1
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const entry of value) pending.push([entry, outer])
      continue
    }
    if (!isJsonObject(value)) continue
    const base = enter(value, outer)
    if (base !== outer && !resources.has(base.uri)) resources.set(base.uri, base)
    for (const name of anchorNames(value)) {
      const key = `${base.uri}#${name}`
      if (!anchors.has(key)) anchors.set(key, { root: value, uri: base.uri })
    }
    for (const entry of Object.values(value)) pending.push([entry, base])
  }
  return { resources, anchors }
}

function anchorNames(schema: JsonObject): readonly string[] {
  const id = schema['$id']
  const named = [schema['$anchor'], schema['$dynamicAnchor']].filter((name) => typeof name === 'string')
  return typeof id === 'string' && id.startsWith('#') && id.length > 1 ? [...named, id.slice(1)] : named
}
