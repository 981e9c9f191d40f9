import type { JsonObject } from '../../../json.ts'
import { isJsonObject } from '../../../json.ts'
import type { ToolAnnotations, ToolDefinition } from '../../../tool.ts'
import { VALUE_MAX_DEPTH } from '../limits.ts'
import { readListing } from './tool-listing.ts'
import { isDeeperThan } from './tool-result.ts'

export type ReadTool =
  | { readonly kind: 'tool'; readonly definition: ToolDefinition }
  /** Meant for a host's user interface, never for a model. */
  | { readonly kind: 'hidden' }
  /** `name` where it has one. */
  | { readonly kind: 'bad'; readonly reason: string; readonly name?: string }

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/** One entry of `tools/list`. Whether its schema can be used is the catalog's question; here it only has to be one. */
export function readTool(raw: unknown): ReadTool {
  if (!isJsonObject(raw)) return { kind: 'bad', reason: 'an entry of tools/list is no object' }
  const { name, title, description, annotations, inputSchema, outputSchema } = raw
  if (typeof name !== 'string' || name === '') return { kind: 'bad', reason: 'a tool has no name' }
  if (isAppOnly(raw['_meta'])) return { kind: 'hidden' }
  if (!isJsonObject(inputSchema)) return { kind: 'bad', name, reason: `tool "${name}" has no input schema` }
  if (isDeeperThan(inputSchema, VALUE_MAX_DEPTH) || isDeeperThan(outputSchema, VALUE_MAX_DEPTH)) {
    return { kind: 'bad', name, reason: `a schema of tool "${name}" nests deeper than ${VALUE_MAX_DEPTH} levels` }
  }
  const label = title ?? (isJsonObject(annotations) ? annotations['title'] : undefined)
  const definition = {
    name,
    ...(typeof label === 'string' ? { title: label } : {}),
    description: typeof description === 'string' ? description : '',
    inputSchema,
    ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
    ...(isJsonObject(annotations) ? { annotations: readHints(annotations) } : {}),
    ...readListing(raw),
  }
  return { kind: 'tool', definition }
}

function readHints(annotations: JsonObject): ToolAnnotations {
  const hints: { -readonly [key in keyof ToolAnnotations]: ToolAnnotations[key] } = {}
  for (const hint of HINTS) {
    const value = annotations[hint]
    if (typeof value === 'boolean') hints[hint] = value
  }
  return hints
}

/**
 * MCP Apps (`ui.visibility` without `model`, also as one text, or under a flat key as `ui/resourceUri` once was) and the form
 * that came before it (`openai/visibility: private`).
 */
function isAppOnly(meta: unknown): boolean {
  if (!isJsonObject(meta)) return false
  const { ui } = meta
  const visibility: unknown = (isJsonObject(ui) ? ui['visibility'] : undefined) ?? meta['ui/visibility']
  if (Array.isArray(visibility)) return !visibility.includes('model')
  return visibility === 'app' || meta['openai/visibility'] === 'private'
}
