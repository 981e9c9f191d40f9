import type { CallToolResult, Client, RequestOptions, StandardSchemaV1 } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../../json.ts'
import type { ToolDefinition } from '../../../tool.ts'
import type { CallInput } from './server-questions.ts'

export interface CallableTool {
  readonly name: string
  /** Of the tool's own only what headers are read from; of most tools nothing. */
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
}

export interface SentCall {
  readonly tool: CallableTool
  readonly args: JsonObject
  readonly input: CallInput
}

/**
 * Sends a call as the SDK's `callTool` does. That one reads headers off the schema, looks for an output schema and parses
 * the result by one, for a third of what a plain call costs here; a tool without headers needs none of it, and its result
 * travels beside the schemas (see `answer-guard.ts`).
 */
export function sendCall(client: Client, { tool, args, input }: SentCall, options: RequestOptions) {
  const params = { name: tool.name, arguments: { ...args }, ...input }
  if (hasHeaders(tool)) return client.callTool(params, { ...options, toolDefinition: tool })
  return client.request({ method: 'tools/call', params }, AS_IT_IS, options)
}

function hasHeaders({ inputSchema }: CallableTool): boolean {
  return Object.keys(inputSchema).length > 1
}

const AS_IT_IS: StandardSchemaV1<unknown, CallToolResult> = {
  '~standard': {
    version: 1,
    vendor: 'drawbridge',
    // An empty one, with the untouched one under `_meta`.
    validate: (value) => ({ value: Object(value) }),
  },
}

/**
 * What the SDK needs of a tool to call it: its name, and the schema that `Mcp-Param-*` headers are read from. Without the
 * output schema: results are checked by the dispatcher, with bounds that the SDK's own validator does not have.
 */
export function toCallableTool(tool: ToolDefinition): CallableTool {
  const hasHeaders = JSON.stringify(tool.inputSchema).includes('"x-mcp-header"')
  return { name: tool.name, inputSchema: { ...(hasHeaders ? tool.inputSchema : {}), type: 'object' } }
}
