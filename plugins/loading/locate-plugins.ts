import { readFile, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { isJsonObject } from '../../catalog/json.ts'
import { describeError } from '../describe-error.ts'
import { MANIFEST_FILE, readManifest } from '../manifest.ts'
import type { PluginManifest } from '../manifest.ts'

/** Where one plugin's code is. */
export interface PluginLocation {
  /** The file or folder that a person knows it by. */
  readonly path: string
  /** Absolute path of the entry file. */
  readonly entry: string
  readonly manifest?: PluginManifest
}

export type Located =
  | { readonly kind: 'found'; readonly location: PluginLocation }
  | { readonly kind: 'failed'; readonly path: string; readonly id?: string; readonly reason: string }

const ENTRY_EXTENSIONS: readonly string[] = ['.ts', '.mts', '.mjs', '.js']
const PACKAGE_FILE = 'package.json'

/**
 * The plugins at each path: a file is one; so is a folder with a manifest or a `package.json`; any other folder holds
 * plugins, one level deep, in order of name. Absolute paths; what cannot be read is reported in its place.
 */
export async function locatePlugins(paths: readonly string[]): Promise<readonly Located[]> {
  const located: Located[] = []
  for (const given of paths) {
    try {
      located.push(...(await locateAt(given)))
    } catch (error) {
      located.push({ kind: 'failed', path: given, reason: `it cannot be read: ${describeError(error)}` })
    }
  }
  return located
}

async function locateAt(given: string): Promise<readonly Located[]> {
  const found = await stat(given).catch(() => undefined)
  if (found === undefined) return [{ kind: 'failed', path: given, reason: 'there is no such file or folder' }]
  if (!found.isDirectory()) return [locateFile(given)]
  const plugin = await locateFolder(given)
  if (plugin !== undefined) return [plugin]
  return await locateChildren(given)
}

function locateFile(file: string): Located {
  if (isEntryFile(file)) return { kind: 'found', location: { path: file, entry: file } }
  return { kind: 'failed', path: file, reason: `it is not one of ${ENTRY_EXTENSIONS.join(', ')}` }
}

/** The plugin that this folder is, or undefined when it is none. */
async function locateFolder(folder: string): Promise<Located | undefined> {
  const reading = await readManifest(folder)
  if (reading.kind === 'broken') return { kind: 'failed', path: folder, reason: reading.reason }
  const packageEntry = await readPackageEntry(folder)
  if (reading.kind === 'none' && packageEntry === undefined) return undefined
  const manifest = reading.kind === 'read' ? reading.manifest : undefined
  const failed = (reason: string): Located => ({
    kind: 'failed',
    path: folder,
    ...(manifest === undefined ? {} : { id: manifest.id }),
    reason,
  })
  if (packageEntry?.kind === 'broken') return failed(packageEntry.reason)
  const named = manifest?.entry ?? packageEntry?.entry
  const entry = named === undefined ? await findIndexFile(folder) : path.resolve(folder, named)
  if (entry === undefined) {
    return failed(`it has no entry file: name one as "entry" in ${MANIFEST_FILE} or "main" in ${PACKAGE_FILE}`)
  }
  if (!(await isFile(entry))) return failed(`its entry file ${entry} is not there`)
  return { kind: 'found', location: { path: folder, entry, ...(manifest === undefined ? {} : { manifest }) } }
}

type PackageEntry = { readonly kind: 'read'; readonly entry?: string } | { readonly kind: 'broken'; reason: string }

async function readPackageEntry(folder: string): Promise<PackageEntry | undefined> {
  const text = await readFile(path.join(folder, PACKAGE_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return { kind: 'broken', reason: `its ${PACKAGE_FILE} is not a JSON object` }
    const entry = readExports(value['exports']) ?? value['main']
    return typeof entry === 'string' ? { kind: 'read', entry } : { kind: 'read' }
  } catch (error) {
    return { kind: 'broken', reason: `its ${PACKAGE_FILE} cannot be read: ${String(error)}` }
  }
}

/** The main entry of `exports`, in the forms that packages of one entry use. */
function readExports(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!isJsonObject(value)) return undefined
  return readExports(value['.'] ?? value['import'] ?? value['default'])
}

async function findIndexFile(folder: string): Promise<string | undefined> {
  for (const extension of ENTRY_EXTENSIONS) {
    const file = path.join(folder, `index${extension}`)
    if (await isFile(file)) return file
  }
  return undefined
}

async function locateChildren(folder: string): Promise<readonly Located[]> {
  const located: Located[] = []
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.') && name !== 'node_modules')
  for (const name of names.toSorted()) {
    const child = path.join(folder, name)
    const plugin = (await isFile(child)) ? locateChildFile(child) : await locateFolder(child)
    if (plugin !== undefined) located.push(plugin)
  }
  return located
}

/** A README beside plugins is not a broken plugin. */
function locateChildFile(file: string): Located | undefined {
  return isEntryFile(file) ? locateFile(file) : undefined
}

function isEntryFile(file: string): boolean {
  const isDeclarationOrTest = /\.(d|test|spec)\.[cm]?[tj]s$/.test(file)
  return ENTRY_EXTENSIONS.includes(path.extname(file)) && !isDeclarationOrTest
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() ?? false
}
