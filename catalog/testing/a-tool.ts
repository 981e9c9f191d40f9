import type { SourceKind } from '../tool-id.ts'
import type { Tool, ToolDefinition } from '../tool.ts'
import { createTool } from '../tool.ts'

interface ToolParts extends Partial<ToolDefinition> {
  readonly source?: SourceKind
  readonly owner?: string
}

/** A plain tool for tests; it answers with its own arguments. */
export function aTool({ source = 'plugin', owner = 'demo', ...parts }: ToolParts = {}): Tool {
  return createTool(source, owner, {
    name: 'echo',
    description: 'Says what it was told',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    execute: async (args) => ({ content: [], structured: args }),
    ...parts,
  })
}
