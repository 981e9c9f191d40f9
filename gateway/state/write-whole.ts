import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** Who may read what only the owner should. */
export const PRIVATE_MODE = 0o600

export interface WriteOptions {
  readonly mode: number
  /** Owner to keep, where this process may set it. */
  readonly owner?: { readonly uid: number; readonly gid: number }
}

/** Writes a file so that a reader, and a machine that loses power, sees all of the old or all of the new. */
export async function writeWhole(file: string, text: string, { mode, owner }: WriteOptions): Promise<void> {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`)
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      // The umask may have taken bits away that the old file had.
      await handle.chmod(mode)
      if (owner && process.getuid?.() === 0) await handle.chown(owner.uid, owner.gid)
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
