import type { ListToolsResult, Tool as McpTool } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { shownParameters } from '../../../bridge/presentation/shown-parameters.ts'
import type { ModelTool } from '../../../bridge/presentation/presentation.ts'
import { createQueryMemory } from '../../../bridge/surface/query-memory.ts'
import type { Caller } from '../../../catalog/caller.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import { TOOL_ID_MAX_LENGTH } from '../../../catalog/limits.ts'
import type { Tool } from '../../../catalog/tool.ts'
import type { View } from '../../../catalog/view.ts'
import type { Presenter } from '../../presenting/presenter.ts'
import { CURSOR_MAX_LENGTH, FUNCTIONS_TTL_MS, LIST_PAGE_TOOLS, LIST_TTL_MS } from '../limits.ts'
import { shownOutput } from './shown-output.ts'

export interface ListRequest {
  readonly cursor: string | undefined
  /** Of a revision in which a list says how long it may be kept. */
  readonly isStateless: boolean
}

export interface ListDeps {
  readonly presenter: Presenter
}

/** What the mode in force shows this caller: one function, three, or page by page every tool of its view. */
export async function listTools(
  { cursor, isStateless }: ListRequest,
  caller: Caller,
  deps: ListDeps,
): Promise<ListToolsResult> {
  const { presentation, view } = deps.presenter.present({ caller, clientTools: [], memory: createQueryMemory() })
  const isDirect = presentation.mode === 'direct'
  // One page of functions: a cursor of a list from before the mode changed finds its end.
  const page = isDirect ? pageOf(view, cursor) : { tools: presentation.definitions().map(shownFunction) }
  return isStateless ? { ...page, ttlMs: ttlOf(view, isDirect), cacheScope: 'private' } : page
}

/** What is still connecting is there in a moment: who kept the list until then would not know of it. */
function ttlOf(view: View, isDirect: boolean): number {
  if (!isDirect) return FUNCTIONS_TTL_MS
  return view.pendingSources().some(({ state }) => state.kind === 'connecting') ? 0 : LIST_TTL_MS
}

function pageOf(view: View, cursor: string | undefined): ListToolsResult {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  // By id, not by place: a tool that comes or goes between two pages neither hides nor doubles another.
  const start = after === undefined ? 0 : view.tools.findIndex((tool) => tool.id > after)
  if (start === -1) return { tools: [] }
  const page = view.tools.slice(start, start + LIST_PAGE_TOOLS)
  const last = page.at(-1)
  const isWhole = last === undefined || start + page.length === view.tools.length
  return { tools: page.map(shownTool), ...(isWhole ? {} : { nextCursor: cursorAfter(last.id) }) }
}

function cursorAfter(id: string): string {
  return Buffer.from(id).toString('base64url')
}

function readCursor(cursor: string): string {
  const id = cursor.length > CURSOR_MAX_LENGTH ? '' : Buffer.from(cursor, 'base64url').toString()
  if (id !== '' && id.length <= TOOL_ID_MAX_LENGTH && cursorAfter(id) === cursor) return id
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'the cursor is not one of this list; ask without a cursor for the first page',
  )
}

function shownFunction({ name, description, parameters }: ModelTool): McpTool {
  return { name, description, inputSchema: objectSchema(parameters) }
}

function shownTool(tool: Tool): McpTool {
  const { safeName, title, description, annotations, listing = {} } = tool
  // Clients hand the schemas on to their models: one that is refused there costs them every tool.
  const { parameters, call } = shownParameters(tool)
  const outputSchema = shownOutput(tool)
  return {
    name: safeName,
    ...(title !== undefined && { title }),
    description: `${description}${call}`,
    inputSchema: objectSchema(parameters),
    ...(outputSchema !== undefined && { outputSchema: { ...outputSchema } }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(listing.icons && {
      icons: listing.icons.map(({ sizes, ...icon }) => ({ ...icon, ...(sizes && { sizes: [...sizes] }) })),
    }),
    ...(listing.meta && { _meta: { ...listing.meta } }),
  }
}

/** The protocol wants the type said at the root; a schema that leaves it out is still validated as it was written. */
function objectSchema(schema: JsonObject): McpTool['inputSchema'] {
  return { ...schema, type: 'object' }
}
