import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isEmptyList, isJsonObject } from '../../../catalog/json.ts'
import { readJsonObject } from '../../../catalog/read-json.ts'
import { mendCapabilities, mendImplementation } from '../../../catalog/sources/mcp/transport/mend-handshake.ts'
import { mendAnswer } from './mend-answer.ts'
import { withoutNullsOf } from './without-nulls-of.ts'

/**
 * A client's message with what can be meant in one way only put right, as many clients write it: `null` for a member that
 * is not there (an `id` of a notification, a `progressToken`, a `result` of a request among them), `[]` for an object without
 * members, as PHP has it, a call's arguments as the text of their JSON or as no text, an `initialize` that does not say what its
 * client can or is.
 */
export function mendRequest(body: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(body) ? body.map(mendOne) : mendOne(body)
}

function mendOne<T extends JsonValue | undefined>(message: T): T | JsonObject {
  return isJsonObject(message) ? mendMessage(message) : message
}

function mendMessage(message: JsonObject): JsonObject {
  const { method } = message
  if (method === undefined || method === null) return mendAnswer(withoutNullsOf(message, ['method', 'params']))
  if (typeof method !== 'string') return message
  // A request whose id is null is no notification: it wants an answer that could not be told from another.
  const known = withoutNullsOf(message, method.startsWith('notifications/') ? [...MEMBERS, 'id'] : MEMBERS)
  const { params: written } = known
  const params = withMembers(written)
  if (!isJsonObject(params)) return known
  const mended = mendParams(method, params)
  return mended === written ? known : { ...known, params: mended }
}

const MEMBERS = ['params', 'result', 'error']

/** The same object where there is nothing to mend, as nearly always. */
function mendParams(method: string, params: JsonObject): JsonObject {
  if (method === 'initialize') return mendInitialize(params)
  const without = withoutCursor(withoutNullsOf(params, OPTIONAL))
  const { arguments: args, _meta: meta } = without
  const read = typeof args === 'string' ? readArguments(method, args) : withMembers(args)
  const mended = mendMeta(withMembers(meta))
  if (read === args && mended === meta) return without
  return { ...without, ...(read !== undefined && { arguments: read }), ...(mended !== undefined && { _meta: mended }) }
}

/** Of a tool that takes none many models write nothing at all. */
function readArguments(method: string, written: string): JsonValue {
  if (method !== 'tools/call') return written
  return written.trim() === '' ? {} : (readJsonObject(written) ?? written)
}

function mendMeta(meta: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(meta)) return meta
  const without = withoutNullsOf(meta, ['progressToken'])
  const abilities = without[CLIENT_CAPABILITIES_META_KEY]
  const mended = withMembers(abilities)
  return mended === abilities || mended === undefined ? without : { ...without, [CLIENT_CAPABILITIES_META_KEY]: mended }
}

/** What has to be an object: the empty list is one in PHP, which writes both alike. */
function withMembers(value: JsonValue | undefined): JsonValue | undefined {
  return isEmptyList(value) ? {} : value
}

const OPTIONAL = ['_meta', 'cursor', 'arguments']

/** An empty cursor is none: no list of ours ever gives one. */
function withoutCursor(params: JsonObject): JsonObject {
  if (params['cursor'] !== '') return params
  const { cursor: _none, ...rest } = params
  return rest
}

function mendInitialize({ _meta: meta, capabilities, clientInfo, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...(isJsonObject(meta) && { _meta: meta }),
    capabilities: mendExperiments(mendCapabilities(capabilities)),
    clientInfo: mendImplementation(clientInfo),
  }
}

/** What the protocol does not know may be said by `true` too; nothing here goes by it. */
function mendExperiments({ experimental, ...known }: JsonObject): JsonObject {
  return { ...known, ...(isJsonObject(experimental) && { experimental: mendCapabilities(experimental) }) }
}
