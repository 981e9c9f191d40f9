import { stat } from 'node:fs/promises'
import { ENTRY_WATCH_INTERVAL_MS } from '../limits.ts'
import { locatePlugins } from './locate-plugins.ts'
import type { Located } from './locate-plugins.ts'

export interface EntryWatchOptions {
  /** The paths of the settings in force, absolute. */
  readonly paths: () => readonly string[]
  /** An entry file, what it imports or a manifest was written, came or went, and has stood still since. */
  readonly onChange: () => void
  /** What entry files import that was written since it was loaded; '' where nothing was. */
  readonly changedImports: (entries: readonly string[]) => Promise<string>
  readonly intervalMs?: number
  /** Tells one state of the entry files and manifests from another. */
  readonly stampsOf?: (located: readonly Located[]) => Promise<string>
}

interface Seen {
  readonly files: string
  readonly imports: string
}

/** Looks at the plugins' files once a second: the system's own notices miss what editors replace by a rename. */
export function watchEntries(options: EntryWatchOptions): EntryWatch {
  return new EntryWatch(options)
}

export class EntryWatch {
  readonly #options: EntryWatchOptions
  readonly #timer: NodeJS.Timeout
  #paths = ''
  #seen: Seen = NOTHING
  #taken: Seen = NOTHING
  #isLooking = false
  #renewals = 0
  #isClosed = false

  constructor(options: EntryWatchOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#look(), options.intervalMs ?? ENTRY_WATCH_INTERVAL_MS)
    this.#timer.unref()
    void this.renew()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
  }

  /** The files as they are now are no change: whoever says so loads them. To be called with every new settings. */
  async renew(): Promise<void> {
    const paths = this.#options.paths()
    this.#paths = paths.join('\n')
    this.#renewals += 1
    const own = this.#renewals
    const now = await this.#see(paths)
    // A slow disk may answer an earlier one last, with the files as they were.
    if (own !== this.#renewals) return
    this.#seen = now
    this.#taken = now
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const paths = this.#options.paths()
      const renewals = this.#renewals
      const now = await this.#see(paths)
      // Where the settings have changed meanwhile, what they name is being loaded.
      if (paths.join('\n') === this.#paths && renewals === this.#renewals) this.#take(now)
    } finally {
      this.#isLooking = false
    }
  }

  async #see(paths: readonly string[]): Promise<Seen> {
    const located = await locatePlugins(paths)
    const entries = located.flatMap((one) => (one.kind === 'found' ? [one.location.entry] : []))
    const { changedImports, stampsOf: filesOf = stampsOf } = this.#options
    const [files, imports] = await Promise.all([filesOf(located), changedImports(entries)])
    return { files, imports }
  }

  #take(now: Seen): void {
    // An editor may be in the middle of writing.
    const isSettled = isSame(now, this.#seen)
    this.#seen = now
    if (!isSettled || this.#isClosed) return
    const isNews = now.files !== this.#taken.files || (now.imports !== '' && now.imports !== this.#taken.imports)
    this.#taken = now
    if (isNews) this.#options.onChange()
  }
}

const NOTHING: Seen = { files: '', imports: '' }

function isSame(a: Seen, b: Seen): boolean {
  return a.files === b.files && a.imports === b.imports
}

async function stampsOf(located: readonly Located[]): Promise<string> {
  return (await Promise.all(located.map(stampOf))).join('\n')
}

async function stampOf(located: Located): Promise<string> {
  if (located.kind === 'failed') return JSON.stringify(located)
  try {
    const { ino, size, mtimeMs } = await stat(located.location.entry)
    return JSON.stringify([located.location, ino, size, mtimeMs])
  } catch {
    // It went in this moment: the next look finds it gone.
    return JSON.stringify([located.location, 'absent'])
  }
}
