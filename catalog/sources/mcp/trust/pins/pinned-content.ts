import type { JsonObject } from '../../../../json.ts'
import { hashJson } from '../../../../json.ts'
import type { ToolDefinition } from '../../../../tool.ts'

/** What of a tool a person would have to look at again when it changes: all that a model reads, and what the gateway goes by. */
export interface PinnedContent {
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: JsonObject
}

export function pinnedContent(definition: ToolDefinition): PinnedContent {
  const { title, description, inputSchema, outputSchema, annotations } = definition
  return {
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations: { ...annotations } }),
  }
}

/** SHA-256 of the canonical content: the order of keys is no change. */
export function contentHash(definition: ToolDefinition): string {
  return hashJson({ ...pinnedContent(definition) })
}
