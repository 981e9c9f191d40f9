import { stat } from 'node:fs/promises'
import { appliesHow, changedPaths } from './applies.ts'
import type { ConfigPaths } from './config-paths.ts'
import { configCandidates } from './config-paths.ts'
import type { ConfigPath } from './document/config-path.ts'
import { keepResolved } from './keep-resolved.ts'
import { WATCH_INTERVAL_MS } from './limits.ts'
import type { LoadedConfig } from './load-config.ts'
import { loadConfig } from './load-config.ts'
import type { Environment } from './secrets/resolve-references.ts'
import type { FetchSecret } from './secrets/secret-source.ts'

export type ValidConfig = Extract<LoadedConfig, { kind: 'read' }>
type InvalidConfig = Extract<LoadedConfig, { kind: 'invalid' }>

interface ConfigChange {
  readonly loaded: ValidConfig
  readonly changed: readonly ConfigPath[]
  /** Of these, the ones that a running gateway does not take up. */
  readonly restart: readonly ConfigPath[]
}

export interface WatchOptions {
  readonly paths: ConfigPaths
  readonly env: Environment
  /** The configuration in force. */
  readonly current: ValidConfig
  /**
   * A valid configuration that says something else than the one in force, or, with nothing `changed`, the one in force
   * again after an invalid edit.
   */
  readonly onChange: (change: ConfigChange) => void
  /** An edit that cannot be used; the last good configuration stays in force. */
  readonly onInvalid: (invalid: InvalidConfig) => void
  /** Each file that was read, whatever it changes: for who waits to see an edit taken up. */
  readonly onRead?: (loaded: LoadedConfig, verdict: 'in-force' | 'refused') => void
  /** For the first look alone: what the configuration in force was read with may not have been waited for. */
  readonly fetchSecret?: FetchSecret
  readonly intervalMs?: number
}

/**
 * Looks at the file a few times a second. The system's own notices miss files that come later, are replaced by a
 * rename, or lie on a network share; three `stat`s do not.
 */
export function watchConfig(options: WatchOptions): ConfigWatch {
  return new ConfigWatch(options)
}

export class ConfigWatch {
  readonly #options: WatchOptions
  readonly #timer: NodeJS.Timeout
  #current: ValidConfig
  #seen: string | undefined
  #loaded: string | undefined
  #isInvalid = false
  #isLooking = false
  #isAskedAgain = false
  #isClosed = false

  constructor(options: WatchOptions) {
    this.#options = options
    this.#current = options.current
    this.#timer = setInterval(() => void this.#look(), options.intervalMs ?? WATCH_INTERVAL_MS)
    this.#timer.unref()
    void this.#look()
  }

  /** Reads the file at the next look, as it is: what files and commands give may have changed. */
  again(): void {
    // One that is reading gives it all the same.
    this.#isAskedAgain ||= !this.#isLooking
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#isClosed) return
    this.#isLooking = true
    try {
      const now = await fingerprint(this.#options.paths)
      const isSettled = now === this.#seen
      this.#seen = now
      // Loaded once it has stood still for one interval: an editor may be in the middle of writing.
      if (isSettled && (now !== this.#loaded || this.#isAskedAgain)) {
        this.#isAskedAgain = false
        const { paths, env, fetchSecret } = this.#options
        const isFirst = this.#loaded === undefined
        this.#loaded = now
        const loaded = await loadConfig(paths, env, isFirst ? fetchSecret : undefined)
        if (this.#isClosed) return
        const isAsBefore = loaded.kind === 'read' && loaded.text === this.#current.text
        this.#take(isAsBefore ? keepResolved(this.#current, loaded) : loaded)
        this.#options.onRead?.(loaded, this.#isInvalid ? 'refused' : 'in-force')
      }
    } finally {
      this.#isLooking = false
    }
  }

  #take(loaded: LoadedConfig): void {
    const { source } = this.#current
    const isGone = loaded.source === undefined && source !== undefined
    if (loaded.kind === 'invalid' || isGone) {
      this.#isInvalid = true
      return this.#options.onInvalid(loaded.kind === 'invalid' ? loaded : gone(source))
    }
    const changed = changedPaths(plain(this.#current), plain(loaded))
    if (changed.length === 0 && !this.#isInvalid) return undefined
    this.#isInvalid = false
    this.#current = loaded
    const restart = changed.filter((path) => appliesHow(path) === 'restart')
    return this.#options.onChange({ loaded, changed, restart })
  }
}

/** Falling back to the defaults would drop every deny rule because a file was moved. */
function gone(source: string | undefined): InvalidConfig {
  const message = 'is gone; the configuration that it held stays in force until the gateway stops'
  return { kind: 'invalid', source, problems: [{ kind: 'invalid', path: [], message }] }
}

/** Changes whenever a file that may hold the configuration comes, goes, or is written. */
async function fingerprint(paths: ConfigPaths): Promise<string> {
  const states = configCandidates(paths).map(async (file) => {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
      return [dev, ino, size, mtimeNs, ctimeNs].join(':')
    } catch {
      // Not there, at least not now.
      return 'absent'
    }
  })
  return (await Promise.all(states)).join('|')
}

function plain(loaded: ValidConfig) {
  return JSON.parse(JSON.stringify(loaded.config))
}
