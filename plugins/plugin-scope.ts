import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs a plugin's code as its own: also what that leaves running (timers, promises, sockets) is told to be the plugin's. */
export type AsPlugin = <T>(plugin: string, work: () => T) => T

/** Knows whose code runs, which the stack of an error often does not tell. One for a process. */
export interface PluginScope {
  readonly asPlugin: AsPlugin
  /** The plugin whose code runs, or has left this running; undefined for the gateway's own. */
  readonly current: () => string | undefined
}

export function createPluginScope(): PluginScope {
  const storage = new AsyncLocalStorage<string>()
  return { asPlugin: (plugin, work) => storage.run(plugin, work), current: () => storage.getStore() }
}
