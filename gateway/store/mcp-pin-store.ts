import type { ToolPin } from '../../catalog/sources/mcp/trust/pins/tool-pins.ts'

/** Tools of MCP servers as they were pinned; of the installation, not of a tenant. Nothing ever drops a pin. */
export interface McpPinStore {
  /** All of them, without what was pinned. */
  list(): Promise<readonly StoredPin[]>
  get(server: string, tool: string): Promise<ToolPin | undefined>
  /** Adds them or replaces those of the same server and tool, all or none. */
  put(pins: readonly ToolPin[]): Promise<void>
}

export type StoredPin = Omit<ToolPin, 'content'>
