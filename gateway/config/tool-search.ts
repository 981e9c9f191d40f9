import type { Mode } from '../../bridge/presentation/presentation.ts'
import { CODE_TIMEOUT_MS, MAX_SEARCH_LIMIT, SEARCH_DEFAULT_LIMIT } from './limits.ts'
import type { Config } from './schema/config-schema.ts'

export interface ToolSearch {
  readonly mode: Mode
  readonly codeTimeoutMs: number
  readonly searchDefaultLimit: number
  readonly maxSearchLimit: number
}

/** What `tools.toolSearch` selects, whichever of its forms it has. */
export function toolSearchOf(config: { readonly tools: Pick<Config['tools'], 'toolSearch'> }): ToolSearch {
  const setting = config.tools.toolSearch
  const options: Exclude<typeof setting, boolean> = typeof setting === 'boolean' ? { enabled: setting } : setting
  const maxSearchLimit = options.maxSearchLimit ?? MAX_SEARCH_LIMIT
  return {
    mode: options.enabled === false ? 'direct' : (options.mode ?? 'code'),
    codeTimeoutMs: options.codeTimeoutMs ?? CODE_TIMEOUT_MS,
    searchDefaultLimit: options.searchDefaultLimit ?? Math.min(SEARCH_DEFAULT_LIMIT, maxSearchLimit),
    maxSearchLimit,
  }
}
