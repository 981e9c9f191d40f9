import { createHash } from 'node:crypto'
import { mkdir, open, readFile, readdir, realpath, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeWhole } from '../state/write-whole.ts'
import type { ConfigPaths } from './config-paths.ts'
import { findConfigFile, newConfigFile } from './config-paths.ts'
import type { ConfigProblem } from './config-problem.ts'
import type { EditResult } from './document/edit-document.ts'
import { BACKUPS_KEPT, WRITE_LOCK_RETRY_MS, WRITE_LOCK_STALE_MS } from './limits.ts'
import { readConfig } from './read-config.ts'
import type { Environment } from './secrets/resolve-references.ts'

export interface FileEdit {
  readonly paths: ConfigPaths
  readonly env: Environment
  readonly nowMs: number
  readonly isDryRun?: boolean
  /** Makes the new text of the old one, '' where there is no file yet. */
  readonly edit: (text: string) => EditResult
}

export type FileEditResult =
  | {
      readonly kind: 'edited'
      readonly file: string
      /** References that this process cannot resolve; the gateway's may. */
      readonly warnings: readonly ConfigProblem[]
    }
  | { readonly kind: 'unchanged' | 'absent'; readonly file: string }
  /** The file is as it was. */
  | { readonly kind: 'refused'; readonly file: string; readonly problems: readonly ConfigProblem[] }

/** Edits the configuration file, or makes it: the whole is checked first, five backups are kept, the write is atomic. */
export async function editConfigFile(given: FileEdit): Promise<FileEditResult> {
  const found = await findConfigFile(given.paths)
  // Through a link to the file itself: a rename would put a file in the link's place.
  const file = found === undefined ? newConfigFile(given.paths) : await realpath(found)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const release = await takeWriteLock(file)
  try {
    return await editLocked(file, given)
  } finally {
    await release()
  }
}

async function editLocked(file: string, given: FileEdit): Promise<FileEditResult> {
  const old = await readOld(file)
  const result = given.edit(old?.text ?? '')
  if (result.kind !== 'edited') return { ...result, file }
  // Without running anything: an edit must not ask a password manager.
  const read = await readConfig(result.text, { env: given.env, directory: path.dirname(file), secrets: 'skip' })
  const problems = read.kind === 'invalid' ? read.problems : []
  if (problems.some(({ kind }) => kind !== 'reference')) {
    // Without places: they are of a text that is never written.
    return { kind: 'refused', file, problems: problems.map(({ position: _position, ...problem }) => problem) }
  }
  if (given.isDryRun !== true) {
    if (old) await keepBackup({ file, text: old.text, stateDirectory: given.paths.stateDirectory, nowMs: given.nowMs })
    await writeWhole(file, result.text, old ?? { mode: NEW_FILE_MODE })
  }
  return { kind: 'edited', file, warnings: problems }
}

/** It may hold secrets. */
const NEW_FILE_MODE = 0o600

async function readOld(file: string) {
  try {
    const [text, { mode, uid, gid }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
    return { text, mode: mode & 0o777, owner: { uid, gid } }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

interface Backup {
  readonly file: string
  readonly text: string
  readonly stateDirectory: string
  readonly nowMs: number
}

async function keepBackup({ file, text, stateDirectory, nowMs }: Backup): Promise<void> {
  const folder = path.join(stateDirectory, 'config-backups')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Files of the same name from different folders do not push each other's backups out.
  const prefix = `${path.basename(file)}.${createHash('sha256').update(file).digest('hex').slice(0, 8)}.`
  const kept = (await readdir(folder)).filter((name) => name.startsWith(prefix)).toSorted()
  const last = Number(kept.at(-1)?.slice(prefix.length) ?? 0)
  // Later than the last even when the clock is not.
  const stamp = String(Math.max(nowMs, last + 1)).padStart(15, '0')
  await writeWhole(path.join(folder, `${prefix}${stamp}`), text, { mode: NEW_FILE_MODE })
  for (const name of kept.slice(0, Math.max(0, kept.length + 1 - BACKUPS_KEPT))) await rm(path.join(folder, name))
}

/** Two commands at once would otherwise lose one's edit. A lock that a killed command left is broken after a while. */
async function takeWriteLock(file: string): Promise<() => Promise<void>> {
  const lock = `${file}.lock`
  for (;;) {
    try {
      await (await open(lock, 'wx', NEW_FILE_MODE)).close()
      return () => rm(lock, { force: true })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      const ageMs = Date.now() - (await mtimeOf(lock))
      if (ageMs > WRITE_LOCK_STALE_MS) await rm(lock, { force: true })
      else await sleep(WRITE_LOCK_RETRY_MS)
    }
  }
}

async function mtimeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs
  } catch {
    // Released meanwhile: as new, so that the next try takes it.
    return Date.now()
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : undefined
}
