import type { ListToolsResult, Tool as McpTool } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { ModelTool } from '../../../bridge/presentation/presentation.ts'
import { createQueryMemory } from '../../../bridge/query-memory.ts'
import type { Caller } from '../../../catalog/caller.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import { TOOL_ID_MAX_LENGTH } from '../../../catalog/limits.ts'
import type { Tool } from '../../../catalog/tool.ts'
import type { View } from '../../../catalog/view.ts'
import type { Presenter } from '../../presenting/presenter.ts'
import { CURSOR_MAX_LENGTH, LIST_PAGE_TOOLS } from '../limits.ts'

export interface ListDeps {
  readonly presenter: Presenter
}

/** What the mode in force shows this caller: one function, three, or page by page every tool of its view. */
export async function listTools(cursor: string | undefined, caller: Caller, deps: ListDeps): Promise<ListToolsResult> {
  const { presentation, view } = deps.presenter.present({ caller, clientTools: [], memory: createQueryMemory() })
  if (presentation.mode === 'direct') return pageOf(view, cursor)
  // One page: a cursor of a list from before the mode changed finds its end.
  return { tools: presentation.definitions().map(shownFunction) }
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
  const { safeName, title, description, inputSchema, outputSchema, annotations, listing = {} } = tool
  return {
    name: safeName,
    ...(title !== undefined && { title }),
    description,
    inputSchema: objectSchema(inputSchema),
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
