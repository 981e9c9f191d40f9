import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** Who may look into what only the owner should. */
const PRIVATE_FOLDER_MODE = 0o700

/**
 * Makes a folder and those above it that are absent. Node's own recursive `mkdir` never ends where the system says of a
 * new name in a folder that exists that there is no such folder, as `/proc` does.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: PRIVATE_FOLDER_MODE })
  } catch (error) {
    const above = path.dirname(folder)
    if (codeOf(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (codeOf(error) !== 'ENOENT' || above === folder) throw error
    await makeFolder(above)
    // Twice and no more: what cannot be made now never can.
    await makeOnce(folder)
  }
}

async function makeOnce(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: PRIVATE_FOLDER_MODE })
  } catch (error) {
    // Another process was quicker.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : undefined
}
