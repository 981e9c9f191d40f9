import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { CallParams } from '../answering/call-tool.ts'
import type { Inbound } from './is-legacy.ts'

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
export function readQuickCall({ method, headers, body }: Inbound): QuickCall | undefined {
  if (method !== 'POST' || headers['content-type'] !== 'application/json' || !isJsonObject(body)) return undefined
  const { jsonrpc, id, method: asked, params } = body
  if (jsonrpc !== '2.0' || asked !== 'tools/call' || !isJsonObject(params) || Object.keys(body).length !== 4)
    return undefined
  if (typeof id !== 'string' && (typeof id !== 'number' || !Number.isSafeInteger(id))) return undefined
  const { name, arguments: args, _meta: meta, ...more } = params
  // Any other name is written in another way in its header.
  if (typeof name !== 'string' || !PLAIN_NAME.test(name) || Object.keys(more).length > 0) return undefined
  if (args !== undefined && !isJsonObject(args)) return undefined
  if (!isJsonObject(meta)) return undefined
  const { progressToken, [PROTOCOL_VERSION_META_KEY]: version } = meta
  if (progressToken !== undefined && !isToken(progressToken)) return undefined
  const saysTheSame =
    // With one on neither side it is a call of an older session, and that alone says whose it is.
    typeof version === 'string' &&
    headers['mcp-protocol-version'] === version &&
    headers['mcp-method'] === asked &&
    headers['mcp-name'] === name
  if (!saysTheSame) return undefined
  const told = progressToken === undefined ? {} : { progressToken }
  return { id, params: { name, ...(args && { arguments: args }) }, envelope: envelopeOf(meta), ...told }
}

function isToken(value: JsonValue): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

/** All else has no meaning to the protocol, and may be another with each call. */
function envelopeOf(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => key.startsWith('io.modelcontextprotocol/')))
}

const PLAIN_NAME = /^[\w.-]{1,256}$/
