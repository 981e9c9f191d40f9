import type { JsonObject, JsonValue } from './json.ts'
import { SCHEMA_PARTS_MAX } from './limits.ts'
import type { Tool } from './tool.ts'

/** Where to look in a tool's schemas. */
export interface SchemaPlace {
  readonly of: 'input' | 'output'
  /** JSON pointer into the schema, e.g. `/properties/items`; `` is the whole. */
  readonly path: string
}

// A type, not an interface, so that the compiler sees it as JSON.
export type SchemaPart = {
  readonly id: string
  readonly of: 'input' | 'output'
  readonly path: string
  /** The schema as stored; absent where it alone is too large for one answer. */
  readonly schema?: JsonValue
  /** Pointers to look at next, where the part is too large. */
  readonly parts?: readonly string[]
  readonly omitted?: number
}

/** A part of a tool's schema, or what is wrong with the place. */
export type SchemaPartResult =
  | { readonly kind: 'part'; readonly part: SchemaPart }
  | { readonly kind: 'problem'; readonly message: string }

/** Pages a schema that is too large for one answer, by JSON pointer. */
export function readSchemaPart(tool: Tool, { of, path }: SchemaPlace, maxBytes: number): SchemaPartResult {
  const root = of === 'input' ? tool.inputSchema : tool.outputSchema
  if (root === undefined) return { kind: 'problem', message: `"${tool.id}" has no ${of} schema` }
  const found = valueAt(root, path)
  if (found === undefined) {
    const known = keysOf(root, '').slice(0, 20).join(', ')
    return {
      kind: 'problem',
      message: `there is no ${JSON.stringify(path.slice(0, 200))} in the ${of} schema of "${tool.id}"; it has ${known}`,
    }
  }
  const common = { id: tool.id, of, path }
  if (Buffer.byteLength(JSON.stringify(found)) <= maxBytes) return { kind: 'part', part: { ...common, schema: found } }
  const keys = keysOf(found, path)
  const parts = keys.slice(0, SCHEMA_PARTS_MAX)
  const omitted = keys.length - parts.length
  return { kind: 'part', part: { ...common, parts, ...(omitted > 0 && { omitted }) } }
}

function valueAt(root: JsonObject, path: string): JsonValue | undefined {
  if (path === '') return root
  if (!path.startsWith('/')) return undefined
  let value: JsonValue | undefined = root
  for (const raw of path.slice(1).split('/')) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined
    value = Object.entries(value).find(([name]) => name === key)?.[1]
  }
  return value
}

function keysOf(value: JsonValue, path: string): readonly string[] {
  if (!isContainer(value)) return []
  return Object.keys(value).map((key) => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

function isContainer(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null
}
