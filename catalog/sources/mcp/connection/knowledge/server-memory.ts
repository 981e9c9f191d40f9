import { hashJson } from '../../../../json.ts'
import type { McpServerConfig } from '../../server-config.ts'
import { isStdioServer } from '../../server-config.ts'
import type { ToolList } from '../../tools/list-tools.ts'

/** How a server was last reached when it turned out to be of the older kind; a modern one answers its probe at once. */
export interface VersionVerdict {
  readonly transport: 'stdio' | 'http' | 'sse'
  /** Unix milliseconds after which the server is asked again: an upgraded one still answers the old handshake. */
  readonly untilMs: number
}

/** What is known of a server from its last connection. */
export interface ServerRecord {
  /** Of `serverIdentity`: what is known of one server says nothing about another that got its name. */
  readonly identity: string
  readonly verdict?: VersionVerdict
  /** Its tools, as they were last listed. */
  readonly list?: ToolList
}

/** Remembers servers by name, so that no reconnect (or restart, where it is durable) begins with nothing. */
export interface ServerMemory {
  read(server: string): ServerRecord | undefined
  write(server: string, record: ServerRecord | undefined): void
}

export function createServerMemory(): ServerMemory {
  const records = new Map<string, ServerRecord>()
  return {
    read: (server) => records.get(server),
    write(server, record) {
      if (record === undefined) records.delete(server)
      else records.set(server, record)
    },
  }
}

/** What a server is reached by, without the secrets that may change and the limits that change nothing. */
export function serverIdentity(config: McpServerConfig): string {
  if (!isStdioServer(config)) return hashJson({ url: config.url })
  const { command, args = [], cwd = null } = config
  return hashJson({ command, args, cwd })
}
