import type { RegisteredHook } from '../bridge/hooks.ts'
import type { PluginSettings } from './loading/plugin-settings.ts'

/**
 * In the place of the handlers of each required plugin that does not run: what it might have refused is not done. Any
 * other plugin that fails takes its own tools with it and nothing else.
 */
export function missingGuards(
  { entries }: Pick<PluginSettings, 'entries'>,
  isRunning: (id: string) => boolean,
): readonly RegisteredHook[] {
  return Object.entries(entries).flatMap(([plugin, { enabled, required }]): readonly RegisteredHook[] => {
    if (required !== true || enabled === false || isRunning(plugin)) return []
    const blockReason = `plugin "${plugin}" has a say in every call and does not run; an operator finds out why by "drawbridge doctor"`
    return [{ event: 'before_tool_call', plugin, priority: 0, handler: () => ({ block: true, blockReason }) }]
  })
}
