import { subjectOf } from '../../../policy/subject.ts'
import { createEntryIndex } from '../../../policy/entries/entry-index.ts'
import { groupName, groupsOf } from '../../../policy/entries/groups.ts'
import { scopesOf } from '../../../policy/policy-problems.ts'
import { allLists } from '../../../policy/layers/all-lists.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { toolId } from '../../../catalog/tool-id.ts'
import type { ConfigPath } from '../document/config-path.ts'
import type { Config } from '../schema/config-schema.ts'

export interface PolicyWarning {
  readonly path: ConfigPath
  readonly message: string
}

/** What is allowed to be written, and probably does not do what it was written for. */
export function findPolicyWarnings(config: Pick<Config, 'tools' | 'agents' | 'mcp'>): readonly PolicyWarning[] {
  return [...pluginsAlone(config), ...uselessAlsoAllow(config), ...absentArguments(config)]
}

/** Elsewhere `group:plugins` stands for tools of MCP servers too. */
function pluginsAlone({ tools, agents, mcp }: Pick<Config, 'tools' | 'agents' | 'mcp'>): readonly PolicyWarning[] {
  const servers = Object.keys(mcp.servers)
  const groups = groupsOf(tools.groups)
  return allLists({ tools, agents }).flatMap((list) => {
    const at = list.entries.findIndex((entry) => groupName(entry)?.toLowerCase() === 'plugins')
    if (list.path.at(-1) !== 'deny' || at === -1) return []
    const index = createEntryIndex(list, groups)
    const left = servers.filter((owner) => {
      const any = { id: toolId('mcp', owner, '*'), name: '*', source: 'mcp' as const, owner, annotations: {} }
      return index.first(subjectOf(any)) === undefined
    })
    if (left.length === 0) return []
    const message = `group:plugins is the tools of plugins alone; those of MCP servers (${left.join(', ')}) stay callable here, add "group:mcp" to deny them too`
    return [{ path: [...list.path, at], message }]
  })
}

function uselessAlsoAllow({ tools, agents }: Pick<Config, 'tools' | 'agents'>): readonly PolicyWarning[] {
  return scopesOf({ tools, agents }).flatMap(({ scope, path }) => {
    if (scope.profile !== undefined || scope.alsoAllow.length === 0) return []
    const message = 'adds to the profile of its own scope, and there is none here; it only lets optional tools in'
    return [{ path: [...path, 'alsoAllow'], message }]
  })
}

/** In JSON Schema an absent property meets whatever is said of it, so such a rule lets through the call without it. */
function absentArguments({ tools }: Pick<Config, 'tools'>): readonly PolicyWarning[] {
  return tools.rules.flatMap(({ effect, when }, index) => {
    if (effect !== 'allow' || !isJsonObject(when)) return []
    const { properties, required } = when
    const needed: readonly unknown[] = Array.isArray(required) ? required : []
    const open = Object.keys(isJsonObject(properties) ? properties : {}).filter((name) => !needed.includes(name))
    if (open.length === 0) return []
    const message = `allows calls that leave out ${open.join(', ')} too; name them in "required" if that is not meant`
    return [{ path: ['tools', 'rules', index, 'when'], message }]
  })
}
