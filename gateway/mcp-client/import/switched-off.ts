import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'

/** Whether an entry says of itself that it is not to be used. Who is taken for switched on by mistake starts a program that nobody wanted. */
export function isSwitchedOff({ disabled, enabled, isActive }: JsonObject): boolean {
  return (isScalar(disabled) && disabled !== '' && !isNo(disabled)) || isNo(enabled) || isNo(isActive)
}

/** Lists of names beside the servers: of Claude Code in a project, of Gemini CLI in all of its forms. */
const OFF_LISTS = ['disabledMcpServers', 'disabledMcpjsonServers', 'excludeMCPServers'] as const

/** Which names are said not to be used beside the servers themselves, in a file or in one project of it. */
export function namedAsOff(settings: JsonObject): (name: string) => boolean {
  const gemini = isJsonObject(settings['mcp']) ? settings['mcp'] : {}
  const off = new Set([...OFF_LISTS.map((key) => settings[key]), gemini['excluded']].flatMap(namesIn))
  const only = new Set([settings['allowMCPServers'], gemini['allowed']].flatMap(namesIn))
  return (name) => off.has(name) || (only.size > 0 && !only.has(name))
}

function namesIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function isNo(value: JsonValue | undefined): boolean {
  return value === false || value === 0 || (typeof value === 'string' && /^\s*(?:false|no|off|0)\s*$/i.test(value))
}

function isScalar(value: JsonValue | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
