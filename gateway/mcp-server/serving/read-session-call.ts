import type { JSONRPCRequest } from '@modelcontextprotocol/server'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Inbound } from './is-legacy.ts'

/** A call within a session of an older client about which nothing is out of the ordinary. */
export interface SessionCall {
  readonly message: JSONRPCRequest
  /** What its headers say beside whose it is: the SDK has to have let the like in before. */
  readonly manner: string
}

/** Undefined for everything that is not certain to be one message with a name, arguments and what clients add of their own. */
export function readSessionCall({ method, headers, body }: Inbound): SessionCall | undefined {
  if (method !== 'POST' || !isJsonObject(body) || Object.keys(body).length !== 4) return undefined
  const { jsonrpc, id, method: asked, params } = body
  if (jsonrpc !== '2.0' || asked !== 'tools/call' || !isJsonObject(params)) return undefined
  if (typeof id !== 'string' && (typeof id !== 'number' || !Number.isSafeInteger(id))) return undefined
  const { name, arguments: args, _meta: meta, ...more } = params
  if (typeof name !== 'string' || Object.keys(more).length > 0) return undefined
  if (args !== undefined && !isJsonObject(args)) return undefined
  if (meta !== undefined && !(isJsonObject(meta) && isPlainMeta(meta))) return undefined
  const { accept = '', 'content-type': type = '', 'mcp-protocol-version': version = '' } = headers
  return {
    message: { jsonrpc, id, method: asked, params: { ...params } },
    manner: JSON.stringify([accept, type, version]),
  }
}

/** What has a meaning to the protocol beside progress is the SDK's to read. */
function isPlainMeta(meta: Readonly<Record<string, unknown>>): boolean {
  const { progressToken = 0, ...more } = meta
  const isToken = typeof progressToken === 'string' || Number.isSafeInteger(progressToken)
  return isToken && Object.keys(more).every((key) => !key.startsWith('io.modelcontextprotocol/'))
}
