/** The groups of `tools.groups`, by name in lower case. */
export type Groups = ReadonlyMap<string, readonly string[]>

/** What an entry `group:<name>` stands for. */
export type Group =
  | { readonly kind: 'own'; readonly name: string; readonly members: readonly string[] }
  | { readonly kind: 'source'; readonly source: 'plugin' | 'mcp' | 'client' }
  /** All tools of the plugin or MCP server of that name, whether there is one now or not. */
  | { readonly kind: 'owner'; readonly owner: string }

const GROUP_PREFIX = 'group:'

/** Groups that are always there. `plugins` is plugin tools alone: tools of MCP servers are `mcp`. */
export const BUILT_IN_GROUPS = { plugins: 'plugin', mcp: 'mcp', client: 'client' } as const

export function groupsOf(groups: Readonly<Record<string, readonly string[]>>): Groups {
  return new Map(Object.entries(groups).map(([name, members]) => [name.toLowerCase(), members]))
}

/** The group that an entry in lower case names, or undefined where it is no group. */
export function readGroup(entry: string, groups: Groups): Group | undefined {
  if (!entry.startsWith(GROUP_PREFIX)) return undefined
  const name = entry.slice(GROUP_PREFIX.length)
  const members = groups.get(name)
  if (members !== undefined) return { kind: 'own', name, members }
  if (isBuiltInGroup(name)) return { kind: 'source', source: BUILT_IN_GROUPS[name] }
  return { kind: 'owner', owner: name }
}

export function isBuiltInGroup(name: string): name is keyof typeof BUILT_IN_GROUPS {
  return Object.hasOwn(BUILT_IN_GROUPS, name)
}

/** The name of the group of an entry, as it is written; undefined for other entries. */
export function groupName(entry: string): string | undefined {
  const trimmed = entry.trim()
  return trimmed.toLowerCase().startsWith(GROUP_PREFIX) ? trimmed.slice(GROUP_PREFIX.length) : undefined
}

/** The groups of a circle in order, the first one again at the end; undefined where there is none. */
export function findGroupCircle(groups: Groups): readonly string[] | undefined {
  const done = new Set<string>()
  const walk = (name: string, above: readonly string[]): readonly string[] | undefined => {
    const start = above.indexOf(name)
    if (start !== -1) return [...above.slice(start), name]
    if (done.has(name)) return undefined
    for (const member of groups.get(name) ?? []) {
      const inner = groupName(member)?.toLowerCase()
      const circle = inner === undefined || !groups.has(inner) ? undefined : walk(inner, [...above, name])
      if (circle !== undefined) return circle
    }
    done.add(name)
    return undefined
  }
  for (const name of groups.keys()) {
    const circle = walk(name, [])
    if (circle !== undefined) return circle
  }
  return undefined
}
