import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Inbound } from './is-legacy.ts'

/** One message that calls a tool, with nothing in it beside name, arguments and `_meta`. */
export interface CallMessage {
  readonly jsonrpc: '2.0'
  readonly id: string | number
  readonly method: 'tools/call'
  readonly params: JsonObject
  readonly name: string
  readonly args: JsonObject | undefined
  readonly meta: JsonObject | undefined
}

/** Undefined for everything that is not certain to be such a message: it is the SDK's, right or wrong. */
export function readCallMessage({
  method: httpMethod,
  body,
}: Pick<Inbound, 'method' | 'body'>): CallMessage | undefined {
  if (httpMethod !== 'POST' || !isJsonObject(body) || Object.keys(body).length !== 4) return undefined
  const { jsonrpc, id, method, params } = body
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isJsonObject(params) || !isIdOrToken(id)) return undefined
  const { name, arguments: args, _meta: meta, ...more } = params
  if (typeof name !== 'string' || Object.keys(more).length > 0) return undefined
  if ((args !== undefined && !isJsonObject(args)) || (meta !== undefined && !isJsonObject(meta))) return undefined
  return { jsonrpc, id, method, params, name, args, meta }
}

/** An id, or a token of progress: a text or a whole number. */
export function isIdOrToken(value: JsonValue | undefined): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))
}

/** Whether a key of `_meta` has a meaning to the protocol. All others are a client's own. */
export function isProtocolKey(key: string): boolean {
  return key.startsWith('io.modelcontextprotocol/')
}
