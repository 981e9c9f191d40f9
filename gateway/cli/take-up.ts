import { realpath } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConfigPaths } from '../config/config-paths.ts'
import { findConfigFile, newConfigFile } from '../config/config-paths.ts'
import { configHash } from '../config/load-config.ts'
import type { AnnouncedConfig } from '../state/running-gateway.ts'
import { readRunningGateway } from '../state/running-gateway.ts'
import { isStateLockHeld } from '../state/state-lock.ts'
import { stateDirectoryPath } from '../state/state-directory-path.ts'
import type { CliDeps } from './cli-deps.ts'
import { TAKE_UP_LOOK_MS, TAKE_UP_WAIT_MS } from './limits.ts'

/** What a running gateway made of a configuration file. */
export type TakeUp =
  | { readonly kind: 'taken' | 'refused' | 'waiting' }
  /** It reads another one, or none. */
  | { readonly kind: 'other-file'; readonly file?: string }

/** Waits a second at most for the gateway of the state directory to read the file; undefined where none runs. */
export async function awaitTakeUp(
  file: string,
  { flags, deps }: { readonly flags: { readonly stateDir?: string }; readonly deps: Pick<CliDeps, 'env' | 'readFile'> },
): Promise<TakeUp | undefined> {
  const folder = stateDirectoryPath(flags.stateDir, deps.env)
  // The edit is done: who may not look there is told no more than where none runs.
  if (!(await isStateLockHeld(folder).catch(() => false))) return undefined
  const hash = configHash(await deps.readFile(file))
  const deadline = performance.now() + TAKE_UP_WAIT_MS
  for (;;) {
    const config = (await readRunningGateway(folder))?.config
    // It is starting, and reads the file as it is now.
    if (config === undefined) return undefined
    const isOther = !(await isSameFile(config, file))
    if (!isOther && config.hash === hash) return { kind: config.verdict === 'in-force' ? 'taken' : 'refused' }
    if (performance.now() > deadline) return isOther ? otherFile(config) : { kind: 'waiting' }
    await sleep(TAKE_UP_LOOK_MS)
  }
}

/** Whether the file that a running gateway goes on by is not there any more, and neither is another. */
export async function isFileGone(
  paths: ConfigPaths,
  { flags, deps }: { readonly flags: { readonly stateDir?: string }; readonly deps: Pick<CliDeps, 'env'> },
): Promise<boolean> {
  if ((await findConfigFile(paths)) !== undefined) return false
  const folder = stateDirectoryPath(flags.stateDir, deps.env)
  if (!(await isStateLockHeld(folder).catch(() => false))) return false
  const config = (await readRunningGateway(folder))?.config
  if (config?.verdict !== 'refused') return false
  return config.file === undefined || config.file === newConfigFile(paths)
}

function otherFile({ file }: AnnouncedConfig): TakeUp {
  return { kind: 'other-file', ...(file !== undefined && { file }) }
}

/** Edits go through links to the file itself. */
async function isSameFile({ file: read }: AnnouncedConfig, edited: string): Promise<boolean> {
  if (read === undefined) return false
  try {
    return (await realpath(read)) === (await realpath(edited))
  } catch {
    // What it read is gone.
    return false
  }
}
