import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { isDeeperThan } from '../../../../catalog/sources/mcp/tools/tool-result.ts'
import { VALUE_MAX_DEPTH } from '../../../../catalog/sources/mcp/limits.ts'

export type RpcId = string | number

/** One message of JSON-RPC, from either side; `whole` is all of it that the protocol knows: strict readers refuse more. */
export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer

export interface RpcRequest {
  readonly kind: 'request'
  readonly id: RpcId
  readonly method: string
  readonly params: JsonObject
  readonly whole: JsonObject
}

export interface RpcNotification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
  readonly whole: JsonObject
}

export interface RpcAnswer {
  readonly kind: 'answer'
  /** Absent on an error about a message that could not be read. */
  readonly id: RpcId | undefined
  readonly whole: JsonObject
}

/** What a stranger sent as a message; undefined for what is none, or nests deeper than any honest one. */
export function readRpcMessage(value: unknown): RpcMessage | undefined {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0' || isDeeperThan(value, VALUE_MAX_DEPTH)) return undefined
  const { id, method, params = {}, result, error } = value
  const isId = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))
  if (method === undefined) {
    if (!(isId || id === null || id === undefined)) return undefined
    const end = endOf(result, error)
    const named = id === undefined ? {} : { id }
    return end && { kind: 'answer', id: isId ? id : undefined, whole: { jsonrpc: '2.0', ...named, ...end } }
  }
  // What asks and answers in one would be read as the one here and as the other there.
  if (typeof method !== 'string' || !isJsonObject(params) || (result ?? error ?? null) !== null) return undefined
  const given = 'params' in value ? { params } : {}
  if (id === undefined) return { kind: 'notification', method, params, whole: { jsonrpc: '2.0', method, ...given } }
  return isId ? { kind: 'request', id, method, params, whole: { jsonrpc: '2.0', id, method, ...given } } : undefined
}

/** One of the two: who had both would be read in two ways. */
function endOf(result: JsonValue | undefined, error: JsonValue | undefined): JsonObject | undefined {
  if (isJsonObject(result)) return isJsonObject(error) ? undefined : { result }
  return isJsonObject(error) ? { error } : undefined
}

export interface RpcFault {
  readonly code: number
  readonly message: string
  readonly data?: JsonObject
}

export function rpcFault(id: RpcId | undefined, error: RpcFault): JsonObject {
  const { code, message, data } = error
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message, ...(data !== undefined && { data }) } }
}
