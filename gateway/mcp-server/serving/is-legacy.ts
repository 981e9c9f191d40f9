import type { IncomingHttpHeaders } from 'node:http'
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'

export interface Inbound {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonValue | undefined
}

/**
 * Whether a request is one of the revisions before 2026-07-28. A request that says its revision in its body is not,
 * whatever else is right or wrong about it: so much can be seen without the SDK's whole classification, which its handler
 * makes in any case. An `initialize` is one whatever its headers say: which revision is spoken is only agreed upon in it.
 */
export function isLegacy({ method, headers, body }: Inbound): boolean {
  if (method === 'POST' && isJsonObject(body)) {
    if (hasRevision(body)) return false
    if (body['method'] === 'initialize' && !saysRevision(body)) return true
  }
  const { 'mcp-protocol-version': version, 'mcp-method': named, 'mcp-name': name } = headers
  const outcome = classifyInboundRequest({
    httpMethod: method,
    ...(typeof version === 'string' && { protocolVersionHeader: version }),
    ...(typeof named === 'string' && { mcpMethodHeader: named }),
    ...(typeof name === 'string' && { mcpNameHeader: name }),
    ...(body !== undefined && { body }),
  })
  return outcome.kind === 'legacy'
}

function hasRevision({ id, method, params }: Readonly<Record<string, JsonValue>>): boolean {
  const isRequest = typeof method === 'string' && method !== 'initialize' && id !== undefined
  return isRequest && saysRevision({ params })
}

function saysRevision({ params }: Readonly<Record<string, JsonValue | undefined>>): boolean {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) && typeof meta[PROTOCOL_VERSION_META_KEY] === 'string'
}
