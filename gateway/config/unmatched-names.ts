import { compilePattern } from '../../policy/pattern.ts'
import type { ConfigPath } from './document/config-path.ts'
import { UNMATCHED_NAMES } from './limits.ts'
import type { ResolvedConfig } from './read-config.ts'
import { nearestName } from './schema/nearest-name.ts'

export interface KnownTools {
  readonly tools: readonly { readonly id: string; readonly name: string }[]
  /** `mcp:files` for each source whose tools are not known yet. */
  readonly pending: readonly string[]
}

export interface UnmatchedName {
  readonly path: ConfigPath
  readonly name: string
  readonly nearest?: string
}

/** Entries of tool lists that match no tool: a slip in a deny list leaves callable what was meant to be denied. */
export function findUnmatchedNames(
  config: Pick<ResolvedConfig, 'tools' | 'agents'>,
  known: KnownTools,
): readonly UnmatchedName[] {
  const exact = new Set(known.tools.flatMap(({ id, name }) => [id.toLowerCase(), name.toLowerCase()]))
  const matches = (pattern: string): boolean => {
    if (!pattern.includes('*')) return exact.has(pattern.toLowerCase())
    const isMatch = compilePattern(pattern)
    return known.tools.some(({ id, name }) => isMatch(id) || isMatch(name))
  }
  const unmatched = entriesOf(config).filter(({ name }) => !isPending(name, known.pending) && !matches(name))
  return unmatched.slice(0, UNMATCHED_NAMES).map((entry) => {
    const nearest = nearestTo(entry.name, known)
    return { ...entry, ...(nearest !== undefined && { nearest }) }
  })
}

function entriesOf({ tools, agents }: Pick<ResolvedConfig, 'tools' | 'agents'>): readonly UnmatchedName[] {
  const lists: readonly (readonly [ConfigPath, readonly string[]])[] = [
    [['tools', 'allow'], tools.allow],
    [['tools', 'deny'], tools.deny],
    ...Object.entries(agents).flatMap(([agent, own]): readonly (readonly [ConfigPath, readonly string[]])[] => [
      [['agents', agent, 'tools', 'allow'], own.tools.allow],
      [['agents', agent, 'tools', 'deny'], own.tools.deny],
    ]),
  ]
  // `*` alone means all there will be, and tools of clients come with a request.
  const isJudged = (name: string): boolean => name !== '*' && !/^client:/i.test(name)
  return lists.flatMap(([list, names]) =>
    names.flatMap((name, index) => (isJudged(name) ? [{ path: [...list, index], name }] : [])),
  )
}

/** A name alone, or with `*` where the source stands, may be a tool of any source that is not there yet. */
function isPending(pattern: string, pending: readonly string[]): boolean {
  if (!pattern.includes(':') || /^[^:]*\*/.test(pattern)) return pending.length > 0
  const [source = '', owner = ''] = pattern.toLowerCase().split(':')
  const covers = compilePattern(`${source}:${owner}`)
  return pending.some((place) => covers(place))
}

function nearestTo(pattern: string, { tools }: KnownTools): string | undefined {
  if (!pattern.includes('*')) {
    return nearestName(
      pattern,
      tools.map(({ id, name }) => (pattern.includes(':') ? id : name)),
    )
  }
  // Of a pattern the part before the last colon is a slip more often than what follows it.
  const split = pattern.lastIndexOf(':') + 1
  const owners = new Set(tools.map(({ id }) => id.slice(0, id.lastIndexOf(':') + 1)))
  const owner = split === 0 ? undefined : nearestName(pattern.slice(0, split), [...owners])
  if (owner === undefined) return undefined
  const nearest = `${owner}${pattern.slice(split)}`
  const isMatch = compilePattern(nearest)
  return tools.some(({ id }) => isMatch(id)) ? nearest : undefined
}
