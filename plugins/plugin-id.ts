import { PLUGIN_ID_MAX_LENGTH } from './limits.ts'

const PLUGIN_ID = /^[a-z][a-z0-9_-]*$/

/** Why a value cannot be a plugin's id, or undefined when it can. */
export function findPluginIdFault(id: unknown): string | undefined {
  if (id === undefined) return 'it has no id'
  if (typeof id !== 'string') return `its id is ${JSON.stringify(id)}, not a string`
  if (id.length > PLUGIN_ID_MAX_LENGTH) return `its id has ${id.length} characters, more than ${PLUGIN_ID_MAX_LENGTH}`
  if (PLUGIN_ID.test(id)) return undefined
  return `its id ${JSON.stringify(id)} may only have lower-case letters, digits, "-" and "_", starting with a letter`
}
