import type { JsonObject, JsonValue } from '../../../json.ts'
import { isJsonObject } from '../../../json.ts'
import { withoutNulls } from '../../../without-nulls.ts'

/**
 * What a server answered to `initialize`, with all that a strict reader wants: many leave out who they are or what they
 * can, say `true` for a capability, or write `null` for what they do not have. Whether they have tools is asked in any case.
 */
export function mendHandshake(result: JsonObject): JsonObject {
  const { capabilities, serverInfo, instructions, ...rest } = withoutNulls(result)
  const known = { capabilities: mendCapabilities(capabilities), serverInfo: mendImplementation(serverInfo) }
  return { ...rest, ...known, ...mendInstructions(instructions) }
}

/** The same of what one of the newest revision answered to `server/discover`; what names no revision is none of these. */
export function mendDiscovery(result: JsonObject): JsonObject {
  const { capabilities, supportedVersions, instructions, ...rest } = withoutNulls(result)
  if (supportedVersions === undefined) return result
  const versions = typeof supportedVersions === 'string' ? [supportedVersions] : supportedVersions
  const known = { supportedVersions: versions, capabilities: mendCapabilities(capabilities) }
  return { ...rest, ...known, ...mendInstructions(instructions) }
}

/** Of a server or of a client. */
export function mendCapabilities(capabilities: JsonValue | undefined): JsonObject {
  const entries = isJsonObject(capabilities) ? Object.entries(capabilities) : []
  return Object.fromEntries(
    entries.flatMap(([name, value]): readonly (readonly [string, JsonValue])[] => {
      // PHP writes an object without members so, and some servers list their tools here.
      if (value === true || Array.isArray(value)) return [[name, {}]]
      return isJsonObject(value) ? [[name, withoutNulls(value)]] : []
    }),
  )
}

/** Who a server or a client says that it is. */
export function mendImplementation(info: JsonValue | undefined): JsonObject {
  if (!isJsonObject(info)) return { name: UNNAMED, version: UNNAMED }
  const { name, version, ...rest } = withoutNulls(info)
  return { ...rest, name: textOf(name), version: textOf(version) }
}

/** A text, or several; what is said in any other form is not worth a server. */
function mendInstructions(instructions: JsonValue | undefined): { readonly instructions?: string } {
  const texts = Array.isArray(instructions) ? instructions : [instructions]
  const isText = texts.every((each) => typeof each === 'string')
  return isText ? { instructions: texts.join('\n') } : {}
}

const UNNAMED = 'unknown'

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : UNNAMED
}
