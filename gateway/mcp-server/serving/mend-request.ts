import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { readJsonObject } from '../../../catalog/read-json.ts'
import { mendCapabilities, mendImplementation } from '../../../catalog/sources/mcp/transport/mend-handshake.ts'

/**
 * A client's message with what can be meant in one way only put right, as many clients write it: `null` for a member that
 * is not there, a call's arguments as the text of their JSON, an `initialize` that does not say what its client can or is.
 */
export function mendRequest(body: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(body) ? body.map(mendOne) : mendOne(body)
}

function mendOne<T extends JsonValue | undefined>(message: T): T | JsonObject {
  return isJsonObject(message) ? mendMessage(message) : message
}

function mendMessage(message: JsonObject): JsonObject {
  const { params, ...rest } = message
  const { method } = rest
  if (params === null) return rest
  if (typeof method !== 'string' || !isJsonObject(params)) return message
  const mended = mendParams(method, params)
  return mended === params ? message : { ...message, params: mended }
}

/** The same object where there is nothing to mend, as nearly always. */
function mendParams(method: string, params: JsonObject): JsonObject {
  if (method === 'initialize') return mendInitialize(params)
  const without = OPTIONAL.some((key) => isNone(key, params[key])) ? withoutNone(params) : params
  const { arguments: args } = without
  const read = method === 'tools/call' && typeof args === 'string' ? readJsonObject(args) : undefined
  return read === undefined ? without : { ...without, arguments: read }
}

const OPTIONAL = ['_meta', 'cursor', 'arguments'] as const

/** An empty cursor is none: no list of ours ever gives one. */
function isNone(key: string, value: JsonValue | undefined): boolean {
  return value === null || (key === 'cursor' && value === '')
}

function withoutNone(params: JsonObject): JsonObject {
  const entries = Object.entries(params)
  return Object.fromEntries(
    entries.filter(([key, value]) => !OPTIONAL.some((each) => each === key && isNone(key, value))),
  )
}

function mendInitialize({ _meta: meta, capabilities, clientInfo, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...(isJsonObject(meta) && { _meta: meta }),
    capabilities: mendCapabilities(capabilities),
    clientInfo: mendImplementation(clientInfo),
  }
}
