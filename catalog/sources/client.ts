import type { Tool, ToolDefinition } from '../tool.ts'
import { createTool } from '../tool.ts'

/** Tools that a client declares in its request and runs itself; they live in that caller's view only. */
export function clientTools(definitions: readonly ToolDefinition[]): readonly Tool[] {
  return definitions.map(({ execute: _notHere, ...definition }) => createTool('client', 'client', definition))
}
