import type { JsonValue } from '../../../catalog/json.ts'
import type { SessionMethod } from '../../../catalog/sources/mcp/connection/session/session-requests.ts'
import type { McpSource } from '../../../catalog/sources/mcp/mcp-source.ts'
import { LIST_ITEMS_MAX, LIST_PAGES_MAX } from './limits.ts'

export type ListedMethod = Extract<SessionMethod, `${string}/list`>

export interface PagedList {
  readonly method: ListedMethod
  readonly key: 'resources' | 'resourceTemplates' | 'prompts'
  /** For one page. */
  readonly waitMs: number
}

/** What a server lists, as far as anybody looks through it; nothing where it has nothing of the kind. */
export async function listPages(
  server: string,
  { method, key, waitMs }: PagedList,
  { mcp, signal }: { readonly mcp: Pick<McpSource, 'request'>; readonly signal: AbortSignal },
): Promise<readonly JsonValue[]> {
  let items: readonly JsonValue[] = []
  let cursor: string | undefined
  for (let page = 0; page < LIST_PAGES_MAX && items.length < LIST_ITEMS_MAX; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const result = await mcp.request(server, { method, params, waitMs }, signal)
    const found = result?.[key]
    if (Array.isArray(found)) items = [...items, ...found]
    const next = result?.['nextCursor']
    if (typeof next !== 'string' || next === '' || next === cursor) break
    cursor = next
  }
  return items.slice(0, LIST_ITEMS_MAX)
}
