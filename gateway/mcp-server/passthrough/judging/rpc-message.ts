import type { JsonObject } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { isDeeperThan } from '../../../../catalog/sources/mcp/tools/tool-result.ts'
import { VALUE_MAX_DEPTH } from '../../../../catalog/sources/mcp/limits.ts'

export type RpcId = string | number

/** One message of JSON-RPC, from either side; `whole` is all that it said. */
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
  const { id, method, params = {} } = value
  const isId = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))
  if (method === undefined) {
    const isAnswer = isJsonObject(value['result']) !== isJsonObject(value['error'])
    if (!isAnswer || !(isId || id === null || id === undefined)) return undefined
    return { kind: 'answer', id: isId ? id : undefined, whole: value }
  }
  if (typeof method !== 'string' || !isJsonObject(params)) return undefined
  if (id === undefined) return { kind: 'notification', method, params, whole: value }
  return isId ? { kind: 'request', id, method, params, whole: value } : undefined
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
