import { access } from 'node:fs/promises'
import { configPaths } from '../config/config-paths.ts'
import { formatProblem } from '../config/config-problem.ts'
import { readStoreUrl } from '../config/read-store-url.ts'
import { makeFolder } from '../state/make-folder.ts'
import { takeStateLock } from '../state/state-lock.ts'
import { stateDirectoryPath } from '../state/state-directory-path.ts'
import { StoreError } from '../store/errors.ts'
import { openStore, storeFile } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { CliDeps } from './cli-deps.ts'
import { CliFailure } from './cli-failure.ts'

export interface StoreFlags {
  readonly stateDir?: string
  readonly config?: string
}

export interface StoppedStore {
  readonly store: Store
  readonly stateDirectory: string
}

/** `needed`: a command that only reads makes no store. */
type WhenAbsent = 'made' | 'needed'

/**
 * Works on the store of a gateway that does not run, and holds the state directory meanwhile, so that none starts.
 * @throws {CliFailure} when a gateway runs after all, there is no store, or it cannot be used
 */
export async function withStoppedStore<Value>(
  { flags, deps, whenAbsent }: { readonly flags: StoreFlags; readonly deps: CliDeps; readonly whenAbsent: WhenAbsent },
  work: (stopped: StoppedStore) => Promise<Value>,
): Promise<Value> {
  const stateDirectory = stateDirectoryPath(flags.stateDir, deps.env)
  const url = await findUrl(flags, deps, stateDirectory)
  if (whenAbsent === 'made') await makeFolder(stateDirectory)
  else await needFile(storeFile(url, stateDirectory))
  const lock = await takeStateLock(stateDirectory)
  if (!lock) throw new CliFailure(1, `state directory "${stateDirectory}" is in use at this moment; try again`)
  try {
    const store = await openStore(url, stateDirectory)
    try {
      return await work({ store, stateDirectory })
    } finally {
      await store.close()
    }
  } catch (error) {
    throw error instanceof StoreError ? new CliFailure(1, error.message) : error
  } finally {
    lock.release()
  }
}

async function findUrl(flags: StoreFlags, { cwd, env }: CliDeps, stateDirectory: string): Promise<string> {
  const given = flags.config === undefined ? {} : { configFile: flags.config }
  const found = await readStoreUrl(configPaths({ cwd, env, stateDirectory, ...given }), env)
  if (found.kind === 'url') return found.url
  throw new CliFailure(2, found.problems.map((problem) => formatProblem(problem, found.file)).join('\n'))
}

async function needFile(file: string): Promise<void> {
  try {
    await access(file)
  } catch {
    // Absent, or in a folder that is: either way nothing was ever kept there.
    throw new CliFailure(1, `there is no store "${file}"; start the gateway once, or name its --state-dir`)
  }
}
