import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { requestIdOf, rpcError } from './rpc-error.ts'

export interface SessionlessRequest {
  readonly request: Request
  readonly body: JsonValue | undefined
}

/** The answer to a request that is of no session, and how one begins. */
export function noSession({ request, body }: SessionlessRequest): Response {
  const id = requestIdOf(body)
  if (request.headers.has('mcp-session-id')) {
    return rpcError(404, { code: -32_001, message: 'session not found: it has ended, so "initialize" a new one', id })
  }
  // By this status clients that look for a server of the oldest transport know that they have to send `initialize`.
  if (request.method === 'GET') return rpcError(405, { code: -32_000, message: NO_STREAM }, { allow: 'POST, DELETE' })
  const method = isJsonObject(body) ? body['method'] : undefined
  // The one request that may come before "initialize": whoever waits for a gateway to start asks so.
  if (method === 'ping' && id !== undefined) return Response.json({ jsonrpc: '2.0', id, result: {} })
  return rpcError(400, { code: -32_000, message: method === 'initialize' ? UNREADABLE : NO_SESSION, id })
}

const NO_STREAM = 'there is no stream without a session: send "initialize" by POST first, then its Mcp-Session-Id'
const UNREADABLE = 'this "initialize" cannot be read: it needs an id, and the protocolVersion in its params'
const NO_SESSION = 'no session: send "initialize" first, then its Mcp-Session-Id with each request'
