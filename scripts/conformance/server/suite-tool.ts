import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server'

/** What the list of tools says of it, and what a call does. */
export interface SuiteTool {
  readonly definition: Tool
  readonly run: (
    args: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>
}

type Properties = Readonly<Record<string, { readonly type: string; readonly description?: string }>>

/** A tool whose arguments are all required. */
export function suiteTool(name: string, properties: Properties, run: SuiteTool['run']): SuiteTool {
  return {
    definition: {
      name,
      description: `What the conformance suite asks of ${name}`,
      inputSchema: { type: 'object', properties: { ...properties }, required: Object.keys(properties) },
    },
    run,
  }
}
