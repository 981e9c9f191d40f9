import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'

export type RequestId = string | number

/** One line of a client, as far as a bridge has to know it. */
export type BridgeMessage =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  /** An answer to a request of ours, or several messages in one line, as revision 2025-03-26 allows. */
  | { readonly kind: 'other' }
  | { readonly kind: 'bad'; readonly reason: string }

export function readBridgeMessage(line: string): BridgeMessage {
  const value = readJson(line)
  if (value === undefined) return { kind: 'bad', reason: 'the line is not JSON' }
  if (Array.isArray(value)) return value.length > 0 ? { kind: 'other' } : { kind: 'bad', reason: 'the list is empty' }
  if (!isJsonObject(value)) return { kind: 'bad', reason: 'the line is no message of JSON-RPC' }
  const { id, method, params } = value
  if (typeof method !== 'string') return { kind: 'other' }
  const read = { method, params: isJsonObject(params) ? params : {} }
  if (id === undefined) return { kind: 'notification', ...read }
  if (typeof id === 'string' || typeof id === 'number') return { kind: 'request', id, ...read }
  return { kind: 'bad', reason: 'an id is a text or a number' }
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/**
 * Headers that say again what a request of revision 2026-07-28 says in its body (Streamable HTTP, "Standard headers");
 * undefined for messages of older revisions, which have a session instead.
 */
export function modernHeaders(message: BridgeMessage): Readonly<Record<string, string>> | undefined {
  if (message.kind !== 'request' && message.kind !== 'notification') return undefined
  const { method, params } = message
  const meta = params['_meta']
  const version = isJsonObject(meta) ? meta[VERSION_KEY] : undefined
  if (typeof version !== 'string') return undefined
  const name = NAMED[method] === undefined ? undefined : params[NAMED[method]]
  return {
    'mcp-protocol-version': headerText(version),
    'mcp-method': headerText(method),
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  }
}

/** Which parameter names what a request is about. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** What a header cannot carry goes in Base64, marked as the specification says. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7E]([\x20-\x7E]*[\x21-\x7E])?$/.test(text) && !text.startsWith('=?base64?')
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
