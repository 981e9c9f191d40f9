import type { EntryIndex } from '../../../policy/entries/entry-index.ts'
import { createEntryIndex } from '../../../policy/entries/entry-index.ts'
import type { Groups } from '../../../policy/entries/groups.ts'
import { groupName, groupsOf, isBuiltInGroup, readGroup } from '../../../policy/entries/groups.ts'
import type { EntryList } from '../../../policy/layer.ts'
import { allLists } from '../../../policy/layers/all-lists.ts'
import { compilePattern } from '../../../policy/pattern.ts'
import type { PolicySettings } from '../../../policy/settings.ts'
import type { Subject } from '../../../policy/subject.ts'
import { subjectOf } from '../../../policy/subject.ts'
import { nearestName } from '../../schema/nearest-name.ts'
import type { ConfigPath } from '../document/config-path.ts'
import type { KnownTools } from './known-tools.ts'
import { ownerOf } from './known-tools.ts'
import { UNMATCHED_NAMES } from '../limits.ts'

export interface UnmatchedName {
  readonly path: ConfigPath
  readonly name: string
  readonly nearest?: string
  /** Sources that are down, any of which may have it. */
  readonly maybeOf?: readonly string[]
}

/** Entries of tool lists that match no tool: a slip in a deny list leaves callable what was meant to be denied. */
export function findUnmatchedNames(settings: PolicySettings, known: KnownTools): readonly UnmatchedName[] {
  const groups = groupsOf(settings.tools.groups)
  const subjects = known.tools.map((tool) => subjectOf({ ...tool, ...ownerOf(tool.id), annotations: {} }))
  const unmatched = judgedLists(settings).flatMap((list) => unmatchedIn(list, { known, subjects, groups }))
  return unmatched.slice(0, UNMATCHED_NAMES).map((entry) => {
    const nearest = nearestTo(entry.name, known, groups)
    return { ...entry, ...(nearest !== undefined && { nearest }) }
  })
}

/** `where` is of the gateway, such as ` of the running gateway`. */
export function unmatchedText({ name, nearest, maybeOf = [] }: UnmatchedName, where = ''): string {
  const [first, ...more] = maybeOf
  const others = more.length === 0 ? '' : ` or ${more.length} more that are down`
  const unless = first === undefined ? '' : `, unless it is one of ${first}${others || ', which is down'}`
  const meant = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return `${JSON.stringify(name)} matches no tool${where}${unless}${meant}`
}

/** The lists of the settings, and what the rules are about. */
function judgedLists(settings: PolicySettings): readonly EntryList[] {
  const rules = settings.tools.rules.map(({ tool }, index) => ({
    path: ['tools', 'rules', index, 'tool'],
    entries: tool === undefined ? [] : [tool],
  }))
  return [...allLists(settings), ...rules]
}

interface Judging {
  readonly known: KnownTools
  readonly subjects: readonly Subject[]
  readonly groups: Groups
}

/** Asked the other way round, which entries each tool is named by: the entries may be as many as the tools. */
function unmatchedIn({ path, entries }: EntryList, { known, subjects, groups }: Judging): readonly UnmatchedName[] {
  if (entries.length === 0) return []
  const index = createEntryIndex({ path, entries }, groups)
  const matched = new Set(subjects.flatMap((subject) => index.all(subject)))
  const isRuleTool = path.at(-1) === 'tool'
  return entries.flatMap((name, position) => {
    if (matched.has(position) || !isJudged(name, index, groups) || isPending(name, known)) return []
    const maybeOf = isOfAnySource(name) ? known.down : []
    const place = isRuleTool ? path : [...path, position]
    return [{ path: place, name, ...(maybeOf.length > 0 && { maybeOf }) }]
  })
}

/** What models are shown to reach tools by; a list may deny it. */
const FUNCTIONS: readonly Subject[] = ['tool_search_code', 'tool_search', 'tool_describe', 'tool_call'].map((name) =>
  subjectOf({ id: name, name, source: 'plugin', owner: '', annotations: {} }),
)

/** `*` alone means all there will be, tools of clients come with a request, and a group of one's own is judged where it stands. */
function isJudged(entry: string, index: EntryIndex, groups: Groups): boolean {
  const text = entry.trim().toLowerCase()
  if (text === '*' || text.startsWith('client:')) return false
  const group = readGroup(text, groups)
  if (group !== undefined) return group.kind === 'owner'
  return !FUNCTIONS.some((name) => index.first(name)?.text === entry)
}

function isPending(entry: string, { pending, down }: KnownTools): boolean {
  const text = entry.trim().toLowerCase()
  if (isOfAnySource(entry)) return pending.length > 0
  const unknown = [...pending, ...down]
  const group = groupName(text)
  if (group !== undefined) return unknown.some((place) => place.toLowerCase().endsWith(`:${group}`))
  const [source = '', owner = ''] = text.split(':')
  const covers = compilePattern(`${source}:${owner}`)
  return unknown.some((place) => covers(place))
}

/** A name alone, or with `*` where the source stands, may be a tool of any source. */
function isOfAnySource(entry: string): boolean {
  const text = entry.trim()
  return groupName(text) === undefined && (!text.includes(':') || /^[^:]*\*/.test(text))
}

function nearestTo(entry: string, { tools }: KnownTools, groups: Groups): string | undefined {
  const group = groupName(entry)
  if (group !== undefined) return nearestGroup(group, { tools, groups })
  if (!entry.includes('*')) {
    return nearestName(
      entry,
      tools.map(({ id, name }) => (entry.includes(':') ? id : name)),
    )
  }
  // Of a pattern the part before the last colon is a slip more often than what follows it.
  const split = entry.lastIndexOf(':') + 1
  const owners = new Set(tools.map(({ id }) => id.slice(0, id.lastIndexOf(':') + 1)))
  const owner = split === 0 ? undefined : nearestName(entry.slice(0, split), [...owners])
  if (owner === undefined) return undefined
  const nearest = `${owner}${entry.slice(split)}`
  const isMatch = compilePattern(nearest)
  return tools.some(({ id }) => isMatch(id)) ? nearest : undefined
}

function nearestGroup(
  name: string,
  { tools, groups }: Pick<KnownTools, 'tools'> & { readonly groups: Groups },
): string | undefined {
  const owners = new Set(tools.map(({ id }) => ownerOf(id).owner))
  const names = ['plugins', 'mcp', 'client', ...groups.keys(), ...owners].filter(
    (known) => isBuiltInGroup(known) || known !== '',
  )
  const nearest = nearestName(name, names)
  return nearest === undefined ? undefined : `group:${nearest}`
}
