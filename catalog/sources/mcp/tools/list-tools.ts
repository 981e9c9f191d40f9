import type { Client } from '@modelcontextprotocol/client'
import { METHOD_NOT_FOUND, ProtocolError } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../json.ts'
import type { ToolDefinition } from '../../../tool.ts'
import { rawResultOf } from '../transport/answer-guard.ts'
import { LIST_MAX_PAGES } from '../limits.ts'
import { readTool } from './tool-definition.ts'

export interface ToolList {
  /** Without `execute`; names are unique. */
  readonly definitions: readonly ToolDefinition[]
  readonly hiddenCount: number
  /** What was left out and why. */
  readonly problems: readonly string[]
}

export interface ListBounds {
  readonly maxTools: number
  readonly pageMs: number
}

/** Every page of `tools/list`. A list that does not end, or floods, is cut and the cut is said. */
export async function listTools(client: Client, bounds: ListBounds, signal: AbortSignal): Promise<ToolList> {
  const definitions = new Map<string, ToolDefinition>()
  const problems: string[] = []
  const cursors = new Set<string>()
  let hiddenCount = 0
  let cursor: string | undefined
  for (let page = 1; ; page += 1) {
    const { entries, next } = await readPage(client, cursor, { signal, timeout: bounds.pageMs })
    for (const entry of entries) {
      const read = readTool(entry)
      if (read.kind === 'hidden') hiddenCount += 1
      else if (read.kind === 'bad') problems.push(read.reason)
      else if (definitions.has(read.definition.name)) problems.push(`tool "${read.definition.name}" is listed twice`)
      else if (definitions.size >= bounds.maxTools) {
        problems.push(`more than ${bounds.maxTools} tools; the rest is left out, raise maxTools to take them`)
        return { definitions: [...definitions.values()], hiddenCount, problems }
      } else definitions.set(read.definition.name, read.definition)
    }
    const stop = stopReason(next, cursors, page)
    if (stop !== undefined) problems.push(stop)
    if (stop !== undefined || next === undefined) break
    cursors.add(next)
    cursor = next
  }
  return { definitions: [...definitions.values()], hiddenCount, problems }
}

function stopReason(next: string | undefined, cursors: ReadonlySet<string>, page: number): string | undefined {
  if (next === undefined) return undefined
  if (cursors.has(next)) return 'tools/list repeats a cursor; the list was cut there'
  return page >= LIST_MAX_PAGES ? `tools/list has more than ${LIST_MAX_PAGES} pages; the rest is left out` : undefined
}

async function readPage(
  client: Client,
  cursor: string | undefined,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<{ readonly entries: readonly unknown[]; readonly next: string | undefined }> {
  try {
    const params = cursor === undefined ? {} : { cursor }
    const result = await client.request({ method: 'tools/list', params }, { ...options })
    const raw = rawResultOf(result)
    const entries: unknown = isJsonObject(raw) ? raw['tools'] : undefined
    const next = result.nextCursor
    // Some servers end with an empty cursor instead of none.
    return { entries: Array.isArray(entries) ? entries : [], next: next === '' ? undefined : next }
  } catch (error) {
    // A server of resources or prompts alone.
    if (error instanceof ProtocolError && error.code === METHOD_NOT_FOUND) {
      return { entries: [], next: undefined }
    }
    throw error
  }
}
