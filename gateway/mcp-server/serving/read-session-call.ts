import type { JSONRPCRequest } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../../catalog/json.ts'
import type { Inbound } from './is-legacy.ts'
import { isIdOrToken, isProtocolKey, readCallMessage } from './read-call-message.ts'

/** A call within a session of an older client about which nothing is out of the ordinary. */
export interface SessionCall {
  readonly message: JSONRPCRequest
  /** What its headers say beside whose it is: the SDK has to have let the like in before. */
  readonly manner: string
}

/** Undefined for everything that is not certain to be one message with a name, arguments and what clients add of their own. */
export function readSessionCall(inbound: Inbound): SessionCall | undefined {
  const call = readCallMessage(inbound)
  if (call === undefined || !isPlainMeta(call.meta)) return undefined
  const { jsonrpc, id, method, params } = call
  const { accept = '', 'content-type': type = '', 'mcp-protocol-version': version = '' } = inbound.headers
  return {
    message: { jsonrpc, id, method, params: { ...params } },
    manner: JSON.stringify([accept, type, version]),
  }
}

/** What has a meaning to the protocol beside progress is the SDK's to read. */
function isPlainMeta({ progressToken = 0, ...more }: JsonObject = {}): boolean {
  return isIdOrToken(progressToken) && !Object.keys(more).some(isProtocolKey)
}
