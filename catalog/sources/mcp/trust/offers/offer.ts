import type { JsonObject, JsonValue } from '../../../../json.ts'
import { isJsonObject } from '../../../../json.ts'
import { toolId } from '../../../../tool-id.ts'
import type { PinnedContent } from '../pins/pinned-content.ts'

/** What of a server is passed on beside its tools: the list that it stands in. */
export type OfferKind = 'prompts' | 'resources' | 'templates' | 'instructions'

/** What one is called to policy, to pins and to people; undefined for what has no name. A template is a resource to them. */
export function offerName(kind: OfferKind, item: JsonObject): string | undefined {
  if (kind === 'instructions') return kind
  const [group, key] = NAMES[kind]
  const name = item[key]
  return typeof name === 'string' ? `${group}/${name}` : undefined
}

const NAMES = {
  prompts: ['prompts', 'name'],
  resources: ['resources', 'uri'],
  templates: ['resources', 'uriTemplate'],
} as const

/** With its address as it is written, for that is how people write entries. */
export function offerId(server: string, name: string): string {
  return `${toolId('mcp', server, '')}${name}`
}

/** All that it says, but what changes with each write of a resource and has no words. */
export function offerContent(item: JsonObject): PinnedContent {
  const { title, description, size, annotations, ...rest } = item
  const listing = {
    ...rest,
    // What is no text there is passed on too, and has words of its own.
    ...(title !== undefined && typeof title !== 'string' && { title }),
    ...(description !== undefined && typeof description !== 'string' && { description }),
    ...(size !== undefined && typeof size !== 'number' && { size }),
    ...(annotations !== undefined && { annotations: withoutTime(annotations) }),
  }
  return {
    ...(typeof title === 'string' && { title }),
    description: typeof description === 'string' ? description : '',
    listing,
  }
}

const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]{1,20}(?:Z|[+-]\d\d:?\d\d)?)?$/

function withoutTime(annotations: JsonValue): JsonValue {
  if (!isJsonObject(annotations)) return annotations
  const { lastModified, ...rest } = annotations
  return typeof lastModified === 'string' && TIME.test(lastModified) ? rest : annotations
}
