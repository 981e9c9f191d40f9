import { cutToLength } from '../../catalog/description.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import { FUNCTION_DESCRIPTION_MAX_LENGTH } from '../limits.ts'
import type { SettledCall } from '../outcome.ts'
import type { ToolSurface } from '../surface/tool-surface.ts'
import { clientCall, clientDefinitions } from './client-call.ts'
import { inShownNames, shownInstead } from './misdirected-call.ts'
import { errorResult, readArguments } from './model-arguments.ts'
import { callResult } from './call-result.ts'
import type { ModelCall, ModelTool, Presentation } from './presentation.ts'
import { shownParameters } from './shown-parameters.ts'

export interface DirectDeps {
  readonly view: View
  /** For one call of the model's. */
  readonly createSurface: (call: ModelCall) => ToolSurface
  /** The model's text of a call, within its bound. */
  readonly callText: (settled: SettledCall) => string
}

export function createDirectPresentation(deps: DirectDeps): Presentation {
  return {
    mode: 'direct',
    definitions: () => [
      ...deps.view.tools.filter((tool) => tool.source !== 'client').map(definitionOf),
      ...clientDefinitions(deps.view),
    ],
    async handle(call, signal) {
      const brought = clientCall(deps.view, call)
      if (brought !== undefined) return brought
      const instead = shownInstead(deps.view, call)
      if (instead !== undefined) return errorResult(instead)
      const read = readArguments(call, '{}')
      if (read.kind === 'problem') return errorResult(read.message)
      const surface = deps.createSurface(call)
      // Whatever is not a shown name goes the ordinary way, which resolves exact ids and names and suggests otherwise.
      const text = deps.view.bySafeName(call.name)?.id ?? deps.view.quarantinedAs(call.name) ?? call.name
      const args = isJsonObject(read.value) || typeof read.value === 'string' ? read.value : {}
      const settled = await surface.call({ kind: 'text', text }, args, signal)
      return callResult(settled, () => deps.callText(inShownNames(settled, deps.view, call)))
    },
    recall: (call) => call,
  }
}

export function definitionOf(tool: Tool): ModelTool {
  const title = tool.title === undefined || tool.title === tool.name ? '' : `${tool.title}. `
  const { parameters, call } = shownParameters(tool)
  const text = cutToLength(`${title}${tool.description}`, FUNCTION_DESCRIPTION_MAX_LENGTH - call.length)
  return { name: tool.safeName, description: `${text}${call}`, parameters }
}
