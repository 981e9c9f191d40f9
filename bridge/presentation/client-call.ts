import { isJsonObject } from '../../catalog/json.ts'
import type { View } from '../../catalog/view.ts'
import { errorResult, readArguments } from './model-arguments.ts'
import type { ModelCall, ModelResult, ModelTool } from './presentation.ts'
import { shownParameters } from './shown-parameters.ts'

/**
 * Definitions of the tools that the client brought, under their own names, in their own order. Their schemas were written for
 * one provider, and the model of this agent may be another's.
 */
export function clientDefinitions(view: View): readonly ModelTool[] {
  return view.clientTools.map((tool) => {
    const { parameters, call } = shownParameters(tool)
    const { name, strict } = tool
    return { name, description: `${tool.description}${call}`, parameters, ...(strict !== undefined && { strict }) }
  })
}

/** A model's call of a tool that the client brought, or undefined when the name is not one of them. */
export function clientCall(view: View, call: ModelCall): ModelResult | undefined {
  const tool = view.clientTools.find((brought) => brought.name === call.name)
  if (tool === undefined) return undefined
  const read = readArguments(call, '{}')
  if (read.kind === 'problem') return errorResult(read.message)
  if (!isJsonObject(read.value)) return errorResult(`the arguments of ${call.name} are an object`)
  return { kind: 'client-call', name: tool.name, arguments: read.value }
}
