import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '../state/make-folder.ts'
import { PRIVATE_MODE, writeWhole } from '../state/write-whole.ts'
import { COPIES_KEPT } from './limits.ts'

export interface Copy {
  /** `replaced`: the file as it was; `rejected`: what it was to become, and was refused. */
  readonly kind: 'replaced' | 'rejected'
  /** The configuration file. */
  readonly file: string
  readonly text: string
  readonly stateDirectory: string
  readonly nowMs: number
}

/** Puts a text of a configuration aside, beside the last few of its kind, and says where. It may hold secrets. */
export async function keepCopy({ kind, file, text, stateDirectory, nowMs }: Copy): Promise<string> {
  const folder = path.join(stateDirectory, 'config-backups')
  await makeFolder(folder)
  // Files of the same name from different folders do not push each other's copies out.
  const own = `${path.basename(file)}.${createHash('sha256').update(file).digest('hex').slice(0, 8)}.`
  const prefix = kind === 'rejected' ? `rejected.${own}` : own
  const kept = (await readdir(folder)).filter((name) => name.startsWith(prefix)).toSorted()
  const last = Number(kept.at(-1)?.slice(prefix.length) ?? 0)
  // Later than the last even when the clock is not.
  const stamp = String(Math.max(nowMs, last + 1)).padStart(15, '0')
  const copy = path.join(folder, `${prefix}${stamp}`)
  await writeWhole(copy, text, { mode: PRIVATE_MODE })
  for (const name of kept.slice(0, Math.max(0, kept.length + 1 - COPIES_KEPT))) await rm(path.join(folder, name))
  return copy
}
