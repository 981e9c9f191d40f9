import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ConfigPaths } from './config-paths.ts'
import { findConfigFile } from './config-paths.ts'
import type { ConfigProblem } from './config-problem.ts'
import type { ReadConfig } from './read-config.ts'
import { readConfig } from './read-config.ts'
import type { Environment } from './secrets/resolve-references.ts'
import type { FetchSecret } from './secrets/secret-source.ts'

/** `source` is the file; undefined when there is none, and the defaults hold. `hash` is of its text, where it was read. */
export type LoadedConfig = ReadConfig & { readonly source: string | undefined; readonly hash?: string }

/** Says whether two texts of a configuration are the same. */
export function configHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Finds the file and reads it. Never rejects: what is wrong with it is in `problems`. */
export async function loadConfig(
  paths: ConfigPaths,
  env: Environment,
  fetchSecret?: FetchSecret,
): Promise<LoadedConfig> {
  const source = await findConfigFile(paths)
  if (source === undefined && paths.named !== undefined) {
    return invalid(paths.named, 'does not exist; make it with "drawbridge config set", or name another file')
  }
  const read = source === undefined ? { kind: 'text' as const, text: '{}' } : await readText(source)
  if (read.kind === 'invalid') return { ...read, source }
  const directory = path.dirname(source ?? paths.stateDirectory)
  const config = await readConfig(read.text, { env, directory, ...(fetchSecret && { fetchSecret }) })
  return { ...config, source, ...(source !== undefined && { hash: configHash(read.text) }) }
}

async function readText(file: string) {
  try {
    const found = await stat(file)
    // Reading a pipe would wait for whoever writes there.
    if (!found.isFile()) {
      return invalid(file, `is ${found.isDirectory() ? 'a folder' : 'a device or a pipe'}, not a file; name a file`)
    }
    return { kind: 'text' as const, text: await readFile(file, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    // The entry itself was found.
    if (code === 'ENOENT') return invalid(file, 'is a link to what is not there; mend the link, or take it away')
    return invalid(file, `cannot be read (${code}); check its permissions`)
  }
}

function invalid(source: string, message: string) {
  const problem: ConfigProblem = { kind: 'invalid', path: [], message }
  return { kind: 'invalid' as const, source, problems: [problem] }
}
