import type { DatabaseSync } from 'node:sqlite'
import type { ServerRecord } from '../../../catalog/sources/mcp/connection/knowledge/server-memory.ts'
import type { McpServerStore, StoredMcpServer } from '../mcp-server-store.ts'
import { encodeRow } from './encode-row.ts'
import type { SqliteSteps } from './sqlite-steps.ts'

export function createSqliteMcpServers(database: DatabaseSync, steps: SqliteSteps): McpServerStore {
  const select = database.prepare('SELECT server, body FROM mcp_servers ORDER BY server')
  const put = database.prepare('INSERT OR REPLACE INTO mcp_servers (server, body) VALUES (?, ?)')
  const remove = database.prepare('DELETE FROM mcp_servers WHERE server = ?')
  return {
    list: () => steps.run(() => select.all().map(storedOf)),
    put: ({ server, record }) => steps.run(() => void put.run(server, encodeRow(record))),
    remove: (server) => steps.run(() => void remove.run(server)),
  }
}

function storedOf(row: Readonly<Record<string, unknown>>): StoredMcpServer {
  const record: ServerRecord = JSON.parse(String(row['body']))
  return { server: String(row['server']), record }
}
