import { BUILT_IN_GROUPS, groupName, isBuiltInGroup } from './entries/groups.ts'
import type { EntryList } from './layer.ts'
import { allLists } from './layers/all-lists.ts'
import type { PolicyProblem, PolicyProblemDeps } from './policy-problem.ts'
import type { PolicySettings } from './settings.ts'

/**
 * Groups that there are not, wherever they take something away: a slip there would leave open what was meant to be
 * closed, and nobody would notice. Where a list allows, a slip closes; that is warned of.
 */
export function findUnknownGroups(settings: PolicySettings, deps: PolicyProblemDeps): readonly PolicyProblem[] {
  const own = Object.keys(settings.tools.groups)
  const known = [...Object.keys(BUILT_IN_GROUPS), ...own, ...deps.owners]
  const names = new Set(known.map((name) => name.toLowerCase()))
  return takingAway(settings).flatMap(({ path, entries }) =>
    entries.flatMap((entry, position) => {
      const name = groupName(entry)
      if (name === undefined || names.has(name.toLowerCase())) return []
      const nearest = deps.nearestName(name, known)
      const way =
        nearest === undefined
          ? `name the plugin under plugins.entries or the group under tools.groups, or write "plugin:${name}:*" or "mcp:${name}:*", which may name what is not there yet`
          : `did you mean "group:${nearest}"?`
      const at = path.at(-1) === 'tool' ? path : [...path, position]
      return [{ path: at, message: `"${entry}" is the group of no plugin, server or tools.groups; ${way}` }]
    }),
  )
}

/** A group of one's own that is named like a plugin or server would hide all of its tools from an entry that means them. */
export function findHidingGroups(settings: PolicySettings, { owners }: PolicyProblemDeps): readonly PolicyProblem[] {
  const taken = new Set(owners.map((name) => name.toLowerCase()))
  return Object.keys(settings.tools.groups).flatMap((name) => {
    if (isBuiltInGroup(name.toLowerCase()) || !taken.has(name.toLowerCase())) return []
    const message = `group:${name} is the tools of the plugin or server of that name; take another name`
    return [{ path: ['tools', 'groups', name], message }]
  })
}

function takingAway(settings: PolicySettings): readonly EntryList[] {
  const lists = allLists(settings).filter(({ path }) => {
    const [, key] = path
    return path.at(-1) === 'deny' || key === 'groups' || key === 'mainAgentOnly'
  })
  const rules = settings.tools.rules.map(({ tool, effect }, index) => ({
    path: ['tools', 'rules', index, 'tool'],
    entries: tool === undefined || effect === 'allow' ? [] : [tool],
  }))
  return [...lists, ...rules]
}
