import type { ServerContext } from '@modelcontextprotocol/server'
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'

/** What the client of a stateless request says that it can do. */
export function declaredCapabilities({ mcpReq }: ServerContext): JsonObject {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {}
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY]
  return isJsonObject(declared) ? declared : {}
}
