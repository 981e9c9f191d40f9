import type { RequestId } from '@modelcontextprotocol/server'
import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'

/** An error before a message was looked at. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: object
  /** Of the request that it answers, where it is known: some clients wait on for an answer of that id. */
  readonly id?: RequestId | undefined
}

export function rpcError(
  status: number,
  { id, ...error }: RpcError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status, headers })
}

/** The id of a request; undefined for what is none, or has none that could be told from another. */
export function requestIdOf(body: JsonValue | undefined): RequestId | undefined {
  if (!isJsonObject(body) || typeof body['method'] !== 'string') return undefined
  const { id } = body
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
