import type { ToolDefinition } from '../../catalog/tool.ts'
import type { ToolId } from '../../catalog/tool-id.ts'
import { toolId } from '../../catalog/tool-id.ts'
import type { PluginManifest } from '../manifest.ts'
import type { ToolFault } from './register-plugin.ts'

interface SelectDeps {
  readonly plugin: string
  readonly manifest: PluginManifest | undefined
  /** Whether an allow list names this optional tool. */
  readonly isOptionalToolAllowed: (id: ToolId) => boolean
}

export interface SelectedTools {
  readonly tools: readonly ToolDefinition[]
  readonly faults: readonly ToolFault[]
  /** Names of the optional ones that nothing allows. */
  readonly withheld: readonly string[]
}

/**
 * The tools that go into the catalog: those that the manifest declares (all, where it declares none), less the
 * optional ones that nothing allows. Where manifest and code disagree, that is a fault of one tool.
 */
export function selectTools(registered: readonly ToolDefinition[], deps: SelectDeps): SelectedTools {
  const { tools: declared, optionalTools: optional = [] } = deps.manifest ?? {}
  const isDeclared = (name: string): boolean => declared?.includes(name) ?? true
  const isOffered = (name: string): boolean =>
    !optional.includes(name) || deps.isOptionalToolAllowed(toolId('plugin', deps.plugin, name))
  const names = new Set(registered.map((tool) => tool.name))
  const expected = new Set([...(declared ?? []), ...optional])
  return {
    tools: registered.filter(({ name }) => isDeclared(name) && isOffered(name)),
    withheld: registered.map(({ name }) => name).filter((name) => isDeclared(name) && !isOffered(name)),
    faults: [
      ...registered
        .filter(({ name }) => !isDeclared(name))
        .map(({ name }) => ({ tool: name, reason: 'its manifest does not declare it, so it is left out' })),
      ...[...expected]
        .filter((name) => !names.has(name))
        .map((name) => ({ tool: name, reason: 'its manifest declares it, but the plugin does not register it' })),
    ],
  }
}
