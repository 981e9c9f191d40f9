import { createHash, randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Writes a token of a tenant into the database of a running gateway, as no command can yet; gives the token. */
export async function addToken(
  stateDir: string,
  { tenant, agents }: { readonly tenant: string; readonly agents: readonly string[] },
): Promise<string> {
  const token = `e2e-${randomBytes(24).toString('hex')}`
  const hash = createHash('sha256').update(token).digest('hex')
  const record = {
    id: randomUUID(),
    name: tenant,
    tenant,
    scopes: ['chat', 'tools'],
    agents,
    hash,
    createdMs: Date.now(),
  }
  const database = new DatabaseSync(path.join(stateDir, 'drawbridge.db'), { timeout: 5000 })
  const columns = 'INSERT INTO tokens (hash, id, created_ms, body) VALUES (?, ?, ?, ?)'
  database.prepare(columns).run(hash, record.id, record.createdMs, JSON.stringify(record))
  database.close()
  return token
}
