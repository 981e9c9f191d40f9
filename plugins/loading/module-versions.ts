import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Node keeps a module for good, also one that failed. So a file is imported under an address that names its time of
 * change, and gets another one when it, or anything that it imports, is written: what is unchanged stays the module it is.
 */
export interface ModuleVersions {
  entryUrl(entry: string): string
  /** The address for what a module imports; undefined where that is none of a plugin's own files. */
  importUrl(imported: ImportedFile): string | undefined
  /** What entries import that is not as it was when it was imported, file by file; '' where all of it is. */
  changedImports(entries: readonly string[]): Promise<string>
}

export interface ImportedFile {
  readonly parentUrl: string | undefined
  readonly url: string
  readonly format: string | null | undefined
}

interface Version {
  readonly file: string
  readonly stamp: string
  readonly url: string
  readonly imports: Map<string, Version>
}

export function createModuleVersions(): ModuleVersions {
  const current = new Map<string, Version>()
  const byUrl = new Map<string, Version>()
  const isFresh = (version: Version, asked: Set<Version>): boolean => {
    // Files that import each other are as fresh as the rest of them.
    if (asked.has(version)) return true
    asked.add(version)
    if (current.get(version.file) !== version || stampNow(version.file) !== version.stamp) return false
    return [...version.imports.values()].every((each) => isFresh(each, asked))
  }
  const versionOf = (file: string): Version => {
    const known = current.get(file)
    if (known !== undefined && isFresh(known, new Set())) return known
    const stamp = stampNow(file)
    const version = { file, stamp, url: freeUrl(file, stamp, byUrl), imports: new Map<string, Version>() }
    current.set(file, version)
    byUrl.set(version.url, version)
    return version
  }
  return {
    entryUrl: (entry) => versionOf(entry).url,
    importUrl({ parentUrl, url, format }) {
      const parent = byUrl.get(parentUrl ?? '')
      if (parent === undefined || !isOwnFile(url, format)) return undefined
      const file = fileURLToPath(url)
      const version = versionOf(file)
      parent.imports.set(file, version)
      return version.url
    },
    async changedImports(entries) {
      const imported = new Set(entries.flatMap((entry) => importsOf(current.get(entry))))
      const states = await Promise.all([...imported].map(async (each) => [each, await stampOf(each.file)] as const))
      const changed = states.filter(([version, stamp]) => stamp !== version.stamp)
      return changed.map(([{ file }, stamp]) => JSON.stringify([file, stamp])).join('\n')
    },
  }
}

/** Node keeps what is `require`d by its path alone, and packages are installed, not edited. */
function isOwnFile(url: string, format: string | null | undefined): boolean {
  return url.startsWith('file:') && !/[?#]|\/node_modules\//.test(url) && format !== 'commonjs'
}

function freeUrl(file: string, stamp: string, taken: ReadonlyMap<string, Version>): string {
  const url = pathToFileURL(file)
  url.searchParams.set('changed', stamp)
  // The file is as it was, and what it imports is not.
  for (let again = 1; taken.has(url.href); again += 1) url.searchParams.set('again', String(again))
  return url.href
}

function importsOf(entry: Version | undefined): readonly Version[] {
  const found = new Set<Version>()
  const open = entry === undefined ? [] : [entry]
  for (let version = open.pop(); version !== undefined; version = open.pop()) {
    for (const each of version.imports.values()) {
      if (found.has(each)) continue
      found.add(each)
      open.push(each)
    }
  }
  return [...found]
}

const ABSENT = 'absent'

function stampNow(file: string): string {
  return String(statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? ABSENT)
}

async function stampOf(file: string): Promise<string> {
  return stat(file).then(
    ({ mtimeMs }) => String(mtimeMs),
    () => ABSENT,
  )
}
