import { createEntryIndex } from './entries/entry-index.ts'
import { groupName, groupsOf, isBuiltInGroup } from './entries/groups.ts'
import { allLists } from './layers/all-lists.ts'
import type { PolicySettings } from './settings.ts'
import type { ToolIdentity } from './subject.ts'
import { subjectOf } from './subject.ts'

/** Whether an `allow` or `alsoAllow` names an optional tool; `*` or a whole source is no decision about it. */
export function isOptionalToolNamed(settings: PolicySettings, tool: ToolIdentity): boolean {
  const groups = groupsOf(settings.tools.groups)
  const subject = subjectOf(tool)
  return allLists(settings).some(({ path, entries }) => {
    const key = path.at(-1)
    if (key !== 'allow' && key !== 'alsoAllow') return false
    const deciding = entries.filter((entry) => entry.trim() !== '*' && !isBuiltInGroup(groupName(entry) ?? ''))
    return createEntryIndex({ path, entries: deciding }, groups).first(subject) !== undefined
  })
}
