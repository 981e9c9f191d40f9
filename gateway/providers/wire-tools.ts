import type { ModelTool } from '../../bridge/presentation/presentation.ts'
import type { JsonObject } from '../../catalog/json.ts'

export interface WireTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
    readonly strict?: boolean
  }
}

/** The `tools` array of a Chat Completions request; its JSON text is what the model's prompt is charged for. */
export function wireTools(tools: readonly ModelTool[]): readonly WireTool[] {
  return tools.map(({ name, description, parameters, strict }) => ({
    type: 'function',
    // Some servers refuse members that they do not know: only where the client wants it.
    function: { name, description, parameters, ...(strict !== undefined && { strict }) },
  }))
}

/** Bytes of that array as it goes over the wire; an absent array is 0. */
export function wireToolsBytes(tools: readonly ModelTool[]): number {
  return tools.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(wireTools(tools)))
}
