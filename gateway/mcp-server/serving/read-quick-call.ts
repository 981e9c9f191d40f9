import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../../catalog/json.ts'
import type { CallParams } from '../answering/call-tool.ts'
import type { Inbound } from './is-legacy.ts'
import { isIdOrToken, isProtocolKey, readCallMessage } from './read-call-message.ts'

/** A call of a stateless client about which nothing is out of the ordinary. */
export interface QuickCall {
  readonly id: string | number
  readonly params: CallParams
  /** What the client says of itself in the protocol's own words, not looked at here. */
  readonly envelope: JsonObject
  /** By which it wants to be told of progress. */
  readonly progressToken?: string | number
}

/**
 * A call that is certain to be what it looks like: one message of 2026-07-28 with nothing beside name, arguments and what
 * clients add of their own (a trace's id), and headers that say the same as the body. Undefined for everything else, right or
 * wrong.
 */
export function readQuickCall(inbound: Inbound): QuickCall | undefined {
  const { headers } = inbound
  const call = headers['content-type'] === 'application/json' ? readCallMessage(inbound) : undefined
  // Any other name is written in another way in its header.
  if (call?.meta === undefined || !PLAIN_NAME.test(call.name)) return undefined
  const { id, method, name, args, meta } = call
  const { progressToken, [PROTOCOL_VERSION_META_KEY]: version } = meta
  if (progressToken !== undefined && !isIdOrToken(progressToken)) return undefined
  const saysTheSame =
    // With one on neither side it is a call of an older session, and that alone says whose it is.
    typeof version === 'string' &&
    headers['mcp-protocol-version'] === version &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === name
  if (!saysTheSame) return undefined
  const told = progressToken === undefined ? {} : { progressToken }
  return { id, params: { name, ...(args && { arguments: args }) }, envelope: envelopeOf(meta), ...told }
}

/** All else has no meaning to the protocol, and may be another with each call. */
function envelopeOf(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => isProtocolKey(key)))
}

const PLAIN_NAME = /^[\w.-]{1,256}$/
