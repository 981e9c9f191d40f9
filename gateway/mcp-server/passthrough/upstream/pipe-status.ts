import type { JsonObject } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { isStateless } from '../judging/check-request.ts'
import { faultResponse } from '../relaying/passing.ts'
import type { RpcAnswer, RpcId, RpcMessage } from '../judging/rpc-message.ts'

/** The first revision whose requests know themselves and need no session. */
const STATELESS_SINCE = '2026-07-28'
const NO_SESSION = -32_000
const INVALID_PARAMS = -32_602
const UNSUPPORTED_VERSION = -32_022
const HEADER_MISMATCH = -32_020

/**
 * Why a message may not go over a pipe without a session. The first message decides which generation a server on a pipe
 * speaks from then on: one of the wrong kind would end it for all who come after.
 */
export function refuseRequest(
  message: RpcMessage,
  headers: Readonly<Record<string, string>>,
  knownVersion: string | undefined,
): Response | undefined {
  const id = message.kind === 'request' ? message.id : undefined
  if (message.kind !== 'request' || !isStateless(message.params)) {
    const isModern = (headers['mcp-protocol-version'] ?? '') >= STATELESS_SINCE
    return isModern
      ? faultResponse(
          400,
          { code: INVALID_PARAMS, message: 'the request has no "_meta" with its protocol version' },
          id,
        )
      : beginFirst(id)
  }
  const requested = requestedVersion(message.params)
  // As a server of its age answers over HTTP: only those of the stateless revision know the other error, and some clients
  // take that for the word of one that speaks it, and do not fall back.
  if (knownVersion !== undefined && knownVersion < STATELESS_SINCE) return beginFirst(id)
  if (knownVersion !== undefined && requested !== knownVersion) {
    const data = { supported: [knownVersion], requested }
    return faultResponse(400, { code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data }, id)
  }
  const missing = missingHeader(message.method, headers)
  if (missing === undefined) return undefined
  return faultResponse(400, { code: HEADER_MISMATCH, message: `Header mismatch: ${missing} header is missing` }, id)
}

function beginFirst(id: RpcId | undefined): Response {
  return faultResponse(400, { code: NO_SESSION, message: 'no session: send "initialize" first' }, id)
}

function requestedVersion(params: JsonObject): string {
  const meta = params['_meta']
  const version = isJsonObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined
  return typeof version === 'string' ? version : ''
}

/** A server on a pipe sees no headers; whoever sends them for others to route by has to send them whole. */
function missingHeader(method: string, headers: Readonly<Record<string, string>>): string | undefined {
  if (headers['mcp-protocol-version'] === undefined) return 'MCP-Protocol-Version'
  if (headers['mcp-method'] === undefined) return 'Mcp-Method'
  const isNamed = method === 'tools/call' || method === 'prompts/get' || method === 'resources/read'
  return isNamed && headers['mcp-name'] === undefined ? 'Mcp-Name' : undefined
}

/** The status that goes with an answer over HTTP, where servers of the stateless revision say something by it. */
export function statusOf(
  { whole }: RpcAnswer,
  request: { readonly method: string; readonly isStateless: boolean },
): number {
  const { error } = whole
  const code = isJsonObject(error) && request.isStateless ? error['code'] : undefined
  if (code === METHOD_NOT_FOUND) return 404
  const isOfEnvelope =
    typeof code === 'number' && (ENVELOPE_CODES.includes(code) || isBadEnvelope(code, request.method))
  return isOfEnvelope ? 400 : 200
}

const METHOD_NOT_FOUND = -32_601
/** Headers and body differ, a capability is missing, a revision is not spoken. */
const ENVELOPE_CODES: readonly number[] = [HEADER_MISMATCH, -32_021, UNSUPPORTED_VERSION]

/** `server/discover` has no parameters of its own that could be wrong. */
function isBadEnvelope(code: number, method: string): boolean {
  return code === INVALID_PARAMS && method === 'server/discover'
}
