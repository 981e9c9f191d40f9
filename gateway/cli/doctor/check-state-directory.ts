import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import type { DoctorFinding } from './doctor-finding.ts'
import type { Examined } from './examined.ts'

/** Whether a start could keep its state there. A gateway that runs has shown that it can. */
export async function checkStateDirectory({ gateway, stateDirectory }: Examined): Promise<readonly DoctorFinding[]> {
  if (gateway.kind !== 'stopped') return []
  const reason = await findObstacle(stateDirectory)
  if (reason === undefined) return []
  // In this order: behind a path that ends with "state" and a colon, the redactor takes what follows for a credential.
  const message = `${reason}, so no gateway can keep its state in ${stateDirectory}`
  return [{ check: 'files', level: 'problem', message, fix: 'make it writable, or name another by --state-dir' }]
}

/** Of the folder, or of the nearest one above it that there is, where the first start would make it. */
async function findObstacle(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is a file`
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
    const above = path.dirname(folder)
    if ((code === 'ENOENT' || code === 'ENOTDIR') && above !== folder) return findObstacle(above)
    return `${folder} cannot be written (${String(code)})`
  }
}
