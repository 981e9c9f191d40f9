import type { JsonObject } from './json.ts'
import { hashJson } from './json.ts'
import type { SourceKind } from './tool-id.ts'
import type { Tool, ToolDefinition } from './tool.ts'
import { createTool } from './tool.ts'

/** A tool as the catalog keeps it. */
export interface CatalogEntry {
  readonly tool: Tool
  /** Of all that a model or a search is shown of it. */
  readonly contentHash: bigint
}

export function readCatalogEntry(source: SourceKind, owner: string, definition: ToolDefinition): CatalogEntry {
  const tool = createTool(source, owner, definition)
  const content: JsonObject = {
    id: tool.id,
    schemas: tool.schemaHash,
    description: tool.description,
    title: tool.title ?? null,
    annotations: { ...tool.annotations },
    examples: tool.examples ?? [],
    ...(tool.listing && { listing: tool.listing }),
  }
  return { tool, contentHash: BigInt(`0x${hashJson(content).slice(0, 32)}`) }
}
