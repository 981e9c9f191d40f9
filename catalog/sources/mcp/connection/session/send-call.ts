import type { CallToolResult, Progress } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../../../json.ts'
import type { ToolDefinition } from '../../../../tool.ts'
import { NO_TIMEOUT_MS } from '../../limits.ts'
import type { OpenClient } from './open-client.ts'
import type { CallInput } from '../questions/server-questions.ts'

export interface CallableTool {
  readonly name: string
  /** Of the tool's own only what headers are read from; of most tools nothing. */
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
}

export interface SentCall {
  readonly tool: CallableTool
  readonly args: JsonObject
  readonly input: CallInput
  readonly onProgress: (step: Progress) => void
}

/** Sends a call: by the SDK's client where headers are made of arguments, else past it. */
export function sendCall(
  { client, plainCalls }: Pick<OpenClient, 'client' | 'plainCalls'>,
  { tool, args, input, onProgress }: SentCall,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { name } = tool
  if (!hasHeaders(tool)) return plainCalls.send({ name, args, input, onProgress }, signal)
  return client.callTool(
    { name, arguments: { ...args }, ...input },
    { signal, timeout: NO_TIMEOUT_MS, onprogress: onProgress, toolDefinition: tool, allowInputRequired: true },
  )
}

function hasHeaders({ inputSchema }: CallableTool): boolean {
  return Object.keys(inputSchema).length > 1
}

/**
 * What the SDK needs of a tool to call it: its name, and the schema that `Mcp-Param-*` headers are read from. Without the
 * output schema: results are checked by the dispatcher, with bounds that the SDK's own validator does not have.
 */
export function toCallableTool(tool: ToolDefinition): CallableTool {
  const hasHeaders = JSON.stringify(tool.inputSchema).includes('"x-mcp-header"')
  return { name: tool.name, inputSchema: { ...(hasHeaders ? tool.inputSchema : {}), type: 'object' } }
}
