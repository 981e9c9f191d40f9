import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'

/**
 * `Mcp-Param-*` headers for arguments that a hook or a repair has changed (SEP-2243): a server refuses a call whose
 * headers and body differ. Only properties at the top of the schema can carry a header that we made ourselves.
 */
export function paramHeaders(schema: JsonObject, args: JsonObject): Readonly<Record<string, string>> {
  const { properties } = schema
  if (!isJsonObject(properties)) return {}
  const entries = Object.entries(properties).flatMap(([name, part]) => {
    const header = isJsonObject(part) ? part['x-mcp-header'] : undefined
    const value = Object.hasOwn(args, name) ? headerValue(args[name]) : undefined
    if (typeof header !== 'string' || !/^[A-Za-z0-9-]{1,64}$/.test(header) || value === undefined) return []
    return [[`mcp-param-${header.toLowerCase()}`, value] as const]
  })
  return Object.fromEntries(entries)
}

function headerValue(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return undefined
  const isPlain = /^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/.test(value) && !/^=\?base64\?.*\?=$/i.test(value)
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}
