import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { PASSED_HEADER_MAX_LENGTH } from '../limits.ts'
import type { RpcFault, RpcMessage } from './rpc-message.ts'

const HEADER_MISMATCH = -32_020
const PASSED = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

/** The headers of a client that mean something to a server; never its credentials, which are for the gateway. */
export function passedHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (!PASSED.includes(name) && !name.startsWith('mcp-param-')) continue
    if (typeof value === 'string' && value.length <= PASSED_HEADER_MAX_LENGTH) passed[name] = value
  }
  return passed
}

/**
 * A header that says something else than the message (2026-07-28, "Standard Headers"): whoever stands before the server
 * might go by the one while we have judged the other.
 */
export function findMismatch(message: RpcMessage, headers: IncomingHttpHeaders): RpcFault | undefined {
  if (message.kind === 'answer') return undefined
  const version = headerText(headers, 'mcp-protocol-version')
  const own = versionOf(message.params)
  if (version !== undefined && own !== undefined && version !== own)
    return mismatch('MCP-Protocol-Version', version, own)
  const method = headerText(headers, 'mcp-method')
  if (method !== undefined && method !== message.method) return mismatch('Mcp-Method', method, message.method)
  const named = headerText(headers, 'mcp-name')
  const { name, uri } = message.params
  const target = message.method === 'resources/read' ? uri : name
  if (named === undefined || typeof target !== 'string') return undefined
  return decoded(named) === target ? undefined : mismatch('Mcp-Name', named, target)
}

function versionOf(params: JsonObject): string | undefined {
  const meta = params['_meta']
  const version = isJsonObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined
  return typeof version === 'string' ? version : undefined
}

function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}

function mismatch(header: string, said: string, is: string): RpcFault {
  const message = `Header mismatch: ${header} header value '${said}' does not match body value '${is}'`
  return { code: HEADER_MISMATCH, message }
}

/** What does not fit a header travels as `=?base64?…?=`. */
function decoded(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/i.exec(value)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}
