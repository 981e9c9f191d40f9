import type { JsonObject } from '../../../json.ts'
import { isJsonObject } from '../../../json.ts'

/** Keywords that hold values, not schemas: what looks like an annotation there is data. */
const VALUE_KEYWORDS = new Set(['const', 'default', 'enum', 'example', 'examples'])
/** `number` is left out by the specification: its text form is not the same everywhere. */
const HEADER_TYPES = new Set(['string', 'integer', 'boolean'])
/** A token of RFC 9110. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Why the `x-mcp-header` annotations of an input schema make the tool one that an HTTP client must leave out (MCP
 * 2026-07-28, Streamable HTTP, "Schema Extension"), or undefined when it may be used.
 */
export function headerFault(inputSchema: JsonObject): string | undefined {
  const taken = new Set<string>()

  function ofSchema(schema: unknown, isReachable: boolean): string | undefined {
    if (Array.isArray(schema)) return firstFault(schema, (member) => ofSchema(member, false))
    if (!isJsonObject(schema)) return undefined
    const own = 'x-mcp-header' in schema ? ofAnnotation(schema, isReachable && schema !== inputSchema) : undefined
    return own ?? firstFault(Object.entries(schema), ([keyword, value]) => ofKeyword(keyword, value, isReachable))
  }

  function ofKeyword(keyword: string, value: unknown, isReachable: boolean): string | undefined {
    if (VALUE_KEYWORDS.has(keyword)) return undefined
    if (keyword !== 'properties' || !isJsonObject(value)) return ofSchema(value, false)
    return firstFault(Object.values(value), (property) => ofSchema(property, isReachable))
  }

  function ofAnnotation(schema: JsonObject, isReachable: boolean): string | undefined {
    const { type, 'x-mcp-header': name } = schema
    if (typeof name !== 'string' || !TOKEN.test(name)) return 'x-mcp-header is no header name'
    if (!isReachable) return `x-mcp-header "${name}" stands where it cannot be reached by properties alone`
    if (typeof type !== 'string' || !HEADER_TYPES.has(type))
      return `x-mcp-header "${name}" is not on a string, integer or boolean`
    if (taken.has(name.toLowerCase())) return `x-mcp-header "${name}" is used twice`
    taken.add(name.toLowerCase())
    return undefined
  }

  return ofSchema(inputSchema, true)
}

function firstFault<T>(items: readonly T[], faultOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}
