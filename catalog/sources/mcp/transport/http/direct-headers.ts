import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../../json.ts'

export interface Connected {
  /** As configured. */
  readonly headers: Readonly<Record<string, string>>
  readonly sessionId: string | undefined
  readonly protocolVersion: string | undefined
}

/**
 * What the SDK's transport would send with a call, without its making: most calls are alike. Undefined for whatever is
 * not a plain call, which is the SDK's to send.
 */
export function directHeaders(message: JSONRPCMessage, connected: Connected): Record<string, string> | undefined {
  if (!('method' in message) || message.method !== 'tools/call' || !('id' in message)) return undefined
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(connected.headers)) headers[name.toLowerCase()] = value
  // The SDK joins its own to it.
  if (headers['accept'] !== undefined) return undefined
  headers['accept'] = 'application/json, text/event-stream'
  headers['content-type'] = 'application/json'
  const { sessionId, protocolVersion } = connected
  if (sessionId !== undefined) headers['mcp-session-id'] = sessionId
  if (protocolVersion !== undefined) headers['mcp-protocol-version'] = protocolVersion
  const { _meta: meta, name } = message.params ?? {}
  const claimed = isJsonObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined
  if (typeof claimed !== 'string') return headers
  // Any other name is encoded for its header.
  if (typeof name !== 'string' || !PLAIN_NAME.test(name)) return undefined
  return { ...headers, 'mcp-protocol-version': claimed, 'mcp-method': message.method, 'mcp-name': name }
}

const PLAIN_NAME = /^[\w./-]+$/
