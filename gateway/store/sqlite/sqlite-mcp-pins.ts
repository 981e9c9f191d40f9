import type { DatabaseSync } from 'node:sqlite'
import type { PinnedContent } from '../../../catalog/sources/mcp/trust/pins/pinned-content.ts'
import type { McpPinStore, StoredPin } from '../mcp-pin-store.ts'
import { encodeRow } from './encode-row.ts'
import type { SqliteSteps } from './sqlite-steps.ts'

/** The content apart from the rest, since every start reads the rest of all. */
export const MCP_PINS_TABLE = `
  CREATE TABLE mcp_pins (
    server TEXT NOT NULL, tool TEXT NOT NULL, hash TEXT NOT NULL, pinned_ms INTEGER NOT NULL, accepted_by TEXT,
    body TEXT NOT NULL, PRIMARY KEY (server, tool)
  ) STRICT;
  `

const COLUMNS = 'server, tool, hash, pinned_ms, accepted_by'

export function createSqliteMcpPins(database: DatabaseSync, steps: SqliteSteps): McpPinStore {
  const list = database.prepare(`SELECT ${COLUMNS} FROM mcp_pins ORDER BY server, tool`)
  const get = database.prepare(`SELECT ${COLUMNS}, body FROM mcp_pins WHERE server = ? AND tool = ?`)
  const put = database.prepare(`INSERT OR REPLACE INTO mcp_pins (${COLUMNS}, body) VALUES (?, ?, ?, ?, ?, ?)`)
  return {
    list: () => steps.run(() => list.all().map(pinOf)),
    get: (server, tool) =>
      steps.run(() => {
        const row = get.get(server, tool)
        if (row === undefined) return undefined
        const content: PinnedContent = JSON.parse(String(row['body']))
        return { ...pinOf(row), content }
      }),
    put: (pins) =>
      steps.transact(() => {
        for (const { server, tool, hash, pinnedMs, acceptedBy = null, content } of pins) {
          put.run(server, tool, hash, pinnedMs, acceptedBy, encodeRow(content))
        }
      }),
  }
}

function pinOf(row: Readonly<Record<string, unknown>>): StoredPin {
  const acceptedBy = row['accepted_by']
  return {
    server: String(row['server']),
    tool: String(row['tool']),
    hash: String(row['hash']),
    pinnedMs: Number(row['pinned_ms']),
    ...(typeof acceptedBy === 'string' && { acceptedBy }),
  }
}
