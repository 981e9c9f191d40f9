import type { Catalog } from '../../catalog/catalog.ts'
import type { ConfigPath } from '../config/document/config-path.ts'
import { formatPath } from '../config/document/config-path.ts'
import { findPolicyWarnings } from '../config/checking/policy-warnings.ts'
import type { ResolvedConfig } from '../config/read-config.ts'
import { unknownSources } from '../config/checking/known-tools.ts'
import { findUnmatchedNames, unmatchedText } from '../config/checking/unmatched-names.ts'
import { NAMES_QUIET_MS } from './limits.ts'

export interface NameWarningsDeps {
  readonly catalog: Pick<Catalog, 'snapshot' | 'statuses' | 'quarantined' | 'onChange'>
  readonly config: () => ResolvedConfig
  readonly log: { readonly warn: (fields: object, message: string) => void }
  /** Default 2 s. */
  readonly quietMs?: number
}

export interface NameWarnings {
  /** The configuration has changed: what it says wrong is told anew. */
  restart(): void
  close(): void
}

/**
 * Warns in the log of entries of the policy that name no tool, and of those that probably mean something else: each
 * once for a configuration, and looked at again whenever tools have come or gone and it has been quiet since.
 */
export function createNameWarnings(deps: NameWarningsDeps): NameWarnings {
  const { catalog, config, log, quietMs = NAMES_QUIET_MS } = deps
  let told = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  // Once, however what may still have it comes and goes.
  const warn = (path: ConfigPath, message: string, about = message): void => {
    const place = formatPath(path)
    const key = `${place}: ${about}`
    if (told.has(key)) return
    told.add(key)
    log.warn({ path: place }, `${place}: ${message}`)
  }
  const look = (): void => {
    for (const { path, message } of findPolicyWarnings(config())) warn(path, message)
    const tools = [...catalog.snapshot().tools, ...catalog.quarantined()]
    const sources = catalog.statuses().map(({ source, owner, state }) => ({ source, owner, kind: state.kind }))
    for (const unmatched of findUnmatchedNames(config(), { tools, ...unknownSources(sources) }))
      warn(unmatched.path, unmatchedText(unmatched), unmatched.name)
  }
  const lookSoon = (): void => {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(look, quietMs)
    timer.unref()
  }
  catalog.onChange(lookSoon)
  lookSoon()
  return {
    restart() {
      told = new Set()
      lookSoon()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
