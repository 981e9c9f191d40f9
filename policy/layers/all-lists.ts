import type { EntryList, PolicyPath } from '../layer.ts'
import type { ListScope, PolicySettings, ToolScope } from '../settings.ts'

/** Every list of entries that the settings hold, in the order in which they are documented. */
export function allLists({ tools, agents }: PolicySettings): readonly EntryList[] {
  const named = (scopes: Readonly<Record<string, ListScope | ToolScope>>, path: PolicyPath): readonly EntryList[] =>
    Object.entries(scopes).flatMap(([name, scope]) => scopeLists(scope, [...path, name]))
  return [
    ...Object.entries(tools.groups).map(([name, entries]) => ({ path: ['tools', 'groups', name], entries })),
    ...named(tools.profiles, ['tools', 'profiles']),
    ...scopeLists(tools, ['tools']),
    ...named(tools.byProvider, ['tools', 'byProvider']),
    ...Object.entries(agents).flatMap(([name, { tools: own }]) => {
      const path = ['agents', name, 'tools']
      return [...scopeLists(own, path), ...named(own.byProvider, [...path, 'byProvider'])]
    }),
    ...named(tools.byChannel, ['tools', 'byChannel']),
    ...named(tools.toolsBySender, ['tools', 'toolsBySender']),
    ...scopeLists(tools.sandbox, ['tools', 'sandbox']),
    ...scopeLists(tools.childAgents, ['tools', 'childAgents']),
    { path: ['tools', 'mainAgentOnly'], entries: tools.mainAgentOnly },
  ]
}

function scopeLists(scope: ListScope | ToolScope, path: PolicyPath): readonly EntryList[] {
  const also = 'alsoAllow' in scope ? [{ path: [...path, 'alsoAllow'], entries: scope.alsoAllow }] : []
  return [{ path: [...path, 'allow'], entries: scope.allow }, ...also, { path: [...path, 'deny'], entries: scope.deny }]
}
