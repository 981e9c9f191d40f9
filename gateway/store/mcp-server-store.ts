import type { ServerRecord } from '../../catalog/sources/mcp/connection/knowledge/server-memory.ts'

/** What is known of MCP servers from their last connection; of the installation, not of a tenant. */
export interface McpServerStore {
  list(): Promise<readonly StoredMcpServer[]>
  /** Adds it, or replaces the one of this name. */
  put(stored: StoredMcpServer): Promise<void>
  remove(server: string): Promise<void>
}

export interface StoredMcpServer {
  readonly server: string
  readonly record: ServerRecord
}
