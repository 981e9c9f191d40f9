import type { Caller } from '../../catalog/caller.ts'
import type { JsonValue } from '../../catalog/json.ts'
import { HttpError } from '../http/http-error.ts'
import { TOOLS_ALLOW_ENTRIES_MAX, TOOLS_ALLOW_ENTRY_MAX_LENGTH } from './limits.ts'

/** The caller with the list `toolsAllow` of a request, which only narrows. @throws {HttpError} 400 */
export function narrowedBy(caller: Caller, toolsAllow: JsonValue | undefined): Caller {
  const entries = readToolsAllow(toolsAllow)
  return entries === undefined ? caller : { ...caller, toolsAllow: [...(caller.toolsAllow ?? []), entries] }
}

/** Tool ids or names with `*` or `group:<name>`, as in the lists of the configuration. */
export function readToolsAllow(value: JsonValue | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  const entries = Array.isArray(value) ? value.filter(isEntry) : []
  if (Array.isArray(value) && entries.length === value.length && entries.length <= TOOLS_ALLOW_ENTRIES_MAX) {
    if (entries.length > 0) return entries
    throw refused('toolsAllow is empty, which would leave no tool; leave it out, or send tool_choice "none"')
  }
  throw refused(
    `toolsAllow is a list of at most ${TOOLS_ALLOW_ENTRIES_MAX} ids or names of tools, each of 1 to ${TOOLS_ALLOW_ENTRY_MAX_LENGTH} characters`,
  )
}

function isEntry(entry: JsonValue): entry is string {
  return typeof entry === 'string' && entry.trim() !== '' && entry.length <= TOOLS_ALLOW_ENTRY_MAX_LENGTH
}

function refused(message: string): HttpError {
  return new HttpError('invalid_request', message, { param: 'toolsAllow' })
}
