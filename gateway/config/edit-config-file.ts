import { open, readFile, realpath, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonValue } from '../../catalog/json.ts'
import { makeFolder } from '../state/make-folder.ts'
import { PRIVATE_MODE, writeWhole } from '../state/write-whole.ts'
import { changedPaths } from './applies.ts'
import type { ConfigPaths } from './config-paths.ts'
import { findConfigFile, newConfigFile } from './config-paths.ts'
import type { ConfigProblem } from './config-problem.ts'
import type { ConfigPath } from './document/config-path.ts'
import { valueAt } from './document/config-path.ts'
import type { EditResult } from './document/edit-document.ts'
import { parseDocument } from './document/parse-document.ts'
import { keepCopy } from './keep-copy.ts'
import { WRITE_LOCK_RETRY_MS, WRITE_LOCK_STALE_MS } from './limits.ts'
import { configFileSchema, readConfig } from './read-config.ts'
import { fillDefaults } from './schema/fill-defaults.ts'
import type { PlainSecret } from './secrets/plain-secrets.ts'
import { findPlainSecrets } from './secrets/plain-secrets.ts'
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
      /** Where what is in force differs from before, defaults counted. */
      readonly changed: readonly ConfigPath[]
      /** References that this process cannot resolve; the gateway's may. */
      readonly warnings: readonly ConfigProblem[]
      /** That the edit wrote into the file themselves. */
      readonly plainSecrets: readonly PlainSecret[]
    }
  | { readonly kind: 'unchanged'; readonly file: string }
  | { readonly kind: 'absent'; readonly file: string }
  | { readonly kind: 'conflict'; readonly file: string; readonly message: string }
  /** The file is as it was; what it was to become was kept in `rejected`. */
  | {
      readonly kind: 'refused'
      readonly file: string
      readonly problems: readonly ConfigProblem[]
      readonly rejected?: string
    }

/** Edits the configuration file, or makes it: the whole is checked first, five backups are kept, the write is atomic. */
export async function editConfigFile(given: FileEdit): Promise<FileEditResult> {
  const found = await findConfigFile(given.paths)
  // Through a link to the file itself: a rename would put a file in the link's place.
  const file = found === undefined ? newConfigFile(given.paths) : await realpath(found)
  await makeFolder(path.dirname(file))
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
  const problems = read.kind === 'invalid' ? read.problems : read.unresolved
  const copy = { file, stateDirectory: given.paths.stateDirectory, nowMs: given.nowMs }
  if (problems.some(({ kind }) => kind !== 'reference')) {
    // Without places: they are of a text that is never written.
    const placeless = problems.map(({ position: _position, ...problem }) => problem)
    if (given.isDryRun === true) return { kind: 'refused', file, problems: placeless }
    const rejected = await keepCopy({ ...copy, kind: 'rejected', text: result.text })
    return { kind: 'refused', file, problems: placeless, rejected }
  }
  if (given.isDryRun !== true) {
    if (old) await keepCopy({ ...copy, kind: 'replaced', text: old.text })
    // It may hold secrets.
    await writeWhole(file, result.text, old ?? { mode: PRIVATE_MODE })
  }
  const changed = changedPaths(inForce(old?.text ?? ''), inForce(result.text))
  const plainSecrets = secretsWritten(valueOf(old?.text ?? ''), valueOf(result.text))
  return { kind: 'edited', file, changed, warnings: problems, plainSecrets }
}

/** What a text says with its defaults. */
function inForce(text: string): JsonValue {
  return fillDefaults(configFileSchema, valueOf(text))
}

/** One that cannot be read was refused before. */
function valueOf(text: string): JsonValue {
  const parsed = parseDocument(text)
  return parsed.kind === 'document' ? parsed.document.value : {}
}

/** Those that were there before are no news. */
function secretsWritten(old: JsonValue, next: JsonValue): readonly PlainSecret[] {
  return findPlainSecrets(configFileSchema, next).filter(({ path: at }) => valueAt(old, at) !== valueAt(next, at))
}

async function readOld(file: string) {
  try {
    const [text, { mode, uid, gid }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
    return { text, mode: mode & 0o777, owner: { uid, gid } }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Two commands at once would otherwise lose one's edit. A lock that a killed command left is broken after a while. */
async function takeWriteLock(file: string): Promise<() => Promise<void>> {
  const lock = `${file}.lock`
  for (;;) {
    try {
      await (await open(lock, 'wx', PRIVATE_MODE)).close()
      return () => rm(lock, { force: true })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      // Of one that lies far ahead the clock has been set back since: it too was left behind.
      const ageMs = Math.abs(Date.now() - (await mtimeOf(lock)))
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
