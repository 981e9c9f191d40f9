import { isJsonObject } from '../../catalog/json.ts'
import { findPluginIdFault } from '../plugin-id.ts'
import type { Plugin } from '../sdk.ts'

export type PluginReading =
  | { readonly kind: 'read'; readonly plugin: Plugin }
  | { readonly kind: 'broken'; readonly reason: string }

/** Reads the default export of an imported entry file as a plugin. */
export function readPlugin(module: unknown): PluginReading {
  const value = findDefaultExport(module)
  if (!isJsonObject(value)) {
    return broken('its entry file has no plugin as its default export; write "export default definePlugin({ … })"')
  }
  const idFault = findPluginIdFault(value['id'])
  if (idFault !== undefined) return broken(idFault)
  if (!isPlugin(value)) return broken('its "register" is not a function')
  const { configSchema } = value
  if (configSchema !== undefined && !isJsonObject(configSchema))
    return broken('its "configSchema" is not a JSON Schema')
  return { kind: 'read', plugin: value }
}

/** `export default` of a module, or `module.exports = { default: … }` of transpiled CommonJS. */
function findDefaultExport(module: unknown): unknown {
  if (!isJsonObject(module)) return undefined
  const value: unknown = module['default']
  return isJsonObject(value) && value['register'] === undefined && isJsonObject(value['default'])
    ? value['default']
    : value
}

function isPlugin(value: object): value is Plugin {
  return 'id' in value && 'register' in value && typeof value.register === 'function'
}

function broken(reason: string): PluginReading {
  return { kind: 'broken', reason }
}
