import type { DatabaseSync } from 'node:sqlite'

/**
 * Whether others write to the file of this connection. Where it lies may say so. If not, the first row that somebody else
 * writes does: a gateway elsewhere, or a command over its state directory, may name a file that lies in this one's folder.
 * From then on it is shared. A look is a microsecond.
 */
export function createFileSharing(database: DatabaseSync, liesElsewhere: boolean): () => boolean {
  const look = database.prepare('PRAGMA data_version')
  // A fifth faster than an object for each row.
  look.setReturnArrays(true)
  // Another number after each transaction of another connection, and after none of this one's.
  const version = (): unknown => look.get()?.[0]
  const first = version()
  let isShared = liesElsewhere
  return () => (isShared ||= version() !== first)
}
