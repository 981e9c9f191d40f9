export interface McpLogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** Its name in the configuration; `*` for what concerns all. */
  readonly server: string
  /** Free of the server's configured secrets. */
  readonly message: string
  /** Set on lines that the server itself wrote. */
  readonly stream?: 'stderr'
}

export type McpLog = (entry: McpLogEntry) => void
