import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { Environment } from './secrets/resolve-references.ts'

const CONFIG_FILE_NAME = 'drawbridge.json5'

/** Where the configuration is looked for, in this order. */
export interface ConfigPaths {
  /** Named by `--config` or `DRAWBRIDGE_CONFIG`: then it is this file or none. */
  readonly named?: string
  readonly workingDirectory: string
  readonly stateDirectory: string
}

export interface ConfigLocation {
  readonly cwd: string
  readonly env: Environment
  readonly stateDirectory: string
  /** `--config`; wins over `DRAWBRIDGE_CONFIG`. */
  readonly configFile?: string
}

export function configPaths({ cwd, env, stateDirectory, configFile }: ConfigLocation): ConfigPaths {
  const named = configFile ?? (env['DRAWBRIDGE_CONFIG'] || undefined)
  return {
    workingDirectory: path.resolve(cwd),
    stateDirectory: path.resolve(cwd, stateDirectory),
    ...(named !== undefined && { named: path.resolve(cwd, named) }),
  }
}

export function configCandidates(paths: ConfigPaths): readonly string[] {
  if (paths.named !== undefined) return [paths.named]
  return [paths.workingDirectory, paths.stateDirectory].map((folder) => path.join(folder, CONFIG_FILE_NAME))
}

/**
 * The file that holds the configuration; undefined when there is none yet. Also what cannot be read as one (a folder, a link
 * whose end is gone): who passed it over would serve by the defaults, without a single rule of it.
 */
export async function findConfigFile(paths: ConfigPaths): Promise<string | undefined> {
  for (const candidate of configCandidates(paths)) {
    if (await isThere(candidate, paths)) return candidate
  }
  return undefined
}

/** Where the first `config set` makes it. */
export function newConfigFile(paths: ConfigPaths): string {
  return paths.named ?? path.join(paths.stateDirectory, CONFIG_FILE_NAME)
}

async function isThere(file: string, { named }: ConfigPaths): Promise<boolean> {
  try {
    await lstat(file)
    return true
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
    // In a folder that may not be entered nobody looks for a configuration, unless it was named.
    return code !== 'ENOENT' && code !== 'ENOTDIR' && named !== undefined
  }
}
