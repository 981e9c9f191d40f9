import type { JsonObject } from '../../../../json.ts'
import { hashJson } from '../../../../json.ts'
import type { ToolDefinition } from '../../../../tool.ts'

/** What of a tool a person would have to look at again when it changes: all that a model or a client is shown of it. */
export interface PinnedContent {
  readonly title?: string
  readonly description: string
  /** Absent on what is no tool: prompts, resources, instructions. */
  readonly inputSchema?: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: JsonObject
  /** What clients show or read beside: icons and `_meta`; of a prompt or resource all the rest. */
  readonly listing?: JsonObject
}

export function pinnedContent(definition: ToolDefinition): PinnedContent {
  const { listing } = definition
  return { ...formerContent(definition), ...(listing !== undefined && { listing: { ...listing } }) }
}

/** SHA-256 of the canonical content: the order of keys is no change. */
export function contentHash(content: PinnedContent): string {
  return hashJson({ form: FORM, content: { ...content } })
}

/** Of what a pin covers, so that a hash of one form is never one of another. */
const FORM = 2

/** As tools were hashed when icons and `_meta` were not pinned yet: who knows a tool by it has to know it anew. */
export function formerHash(definition: ToolDefinition): string {
  return hashJson({ ...formerContent(definition) })
}

function formerContent(definition: ToolDefinition): Omit<PinnedContent, 'listing'> {
  const { title, description, inputSchema, outputSchema, annotations } = definition
  return {
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations: { ...annotations } }),
  }
}
