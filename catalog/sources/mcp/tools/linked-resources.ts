import { isJsonObject } from '../../../json.ts'
import type { ContentBlock, ToolResult } from '../../../tool.ts'
import { LINKED_RESOURCES_MAX } from '../limits.ts'

type Link = Extract<ContentBlock, { type: 'resource_link' }>

/** What a link leads to, read at the same server; rejects where it cannot be read. */
export type ReadResource = (uri: string) => Promise<unknown>

/**
 * The result with what its first links lead to: whoever called has no other way to it. A link that cannot be read stays
 * what it is, an address.
 */
export async function withLinkedResources(result: ToolResult, read: ReadResource): Promise<ToolResult> {
  const links = result.content.filter((block): block is Link => block.type === 'resource_link')
  if (links.length === 0 || result.isError === true) return result
  const wanted = new Set(links.slice(0, LINKED_RESOURCES_MAX).map(({ uri }) => uri))
  const found = new Map(await Promise.all([...wanted].map(async (uri) => [uri, await readOne(uri, read)] as const)))
  const content = result.content.map((block) => {
    const linked = block.type === 'resource_link' ? found.get(block.uri) : undefined
    return linked === undefined ? block : { ...block, linked }
  })
  return { ...result, content }
}

async function readOne(uri: string, read: ReadResource): Promise<Link['linked']> {
  try {
    return contentsOf(await read(uri))
  } catch {
    // Not to be read, too large, or too slow: the call itself has its result.
    return undefined
  }
}

/** The first part; a resource of several is a folder of others. */
function contentsOf(answer: unknown): Link['linked'] {
  const contents: unknown = isJsonObject(answer) ? answer['contents'] : undefined
  const first: unknown = Array.isArray(contents) ? contents[0] : undefined
  if (!isJsonObject(first)) return undefined
  const { text, blob, mimeType } = first
  const type = typeof mimeType === 'string' ? { mimeType } : {}
  if (typeof text === 'string') return { ...type, text }
  return typeof blob === 'string' ? { ...type, blob } : undefined
}
