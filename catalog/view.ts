import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { SUGGESTION_COUNT } from './limits.ts'
import type { SearchIndex, SearchScope } from './search/search-index.ts'
import { likestIds } from './search/suggest-ids.ts'
import type { SourceStatus } from './source.ts'
import type { SourceKind } from './tool-id.ts'
import { isToolId, toolId } from './tool-id.ts'
import type { Tool } from './tool.ts'

/** What a caller's text means: exactly one tool, or why not. Nothing is ever guessed. */
export type Resolution =
  | { readonly kind: 'found'; readonly tool: Tool }
  | { readonly kind: 'ambiguous'; readonly ids: readonly string[] }
  | { readonly kind: 'unknown'; readonly suggestions: readonly string[]; readonly absence?: Absence }

/** Why an exact id leads to nothing now, where there is a tool, or may be one. */
export type Absence =
  | { readonly kind: 'quarantined'; readonly id: string }
  | { readonly kind: 'pending'; readonly id: string; readonly server: string; readonly state: 'connecting' | 'down' }

/** The catalog as one caller may see it; immutable for a model step and the program it writes. */
export interface View {
  readonly revision: string
  /** In order of id; the tools that the client brought come last. */
  readonly tools: readonly Tool[]
  /** The tools that the client brought, part of `tools`. */
  readonly clientTools: readonly Tool[]
  readonly countBySource: Readonly<Record<SourceKind, number>>
  has(id: string): boolean
  /** The tool that providers see under this name; none of those that the client brought. */
  bySafeName(name: string): Tool | undefined
  /** The id of a tool in quarantine that would be shown under this name: a model may still know it by that. */
  quarantinedAs(name: string): string | undefined
  /** What of the shared index this view may show. */
  scope(): SearchScope
  /** An exact id, or an exact name that is unique in the view and is not written as an id. */
  resolve(selector: string): Resolution
  /** What a program wrote as `tools.<owner>.<name>`: exact, or made safe for an identifier where that is unique. */
  resolvePath(owner: string, name: string): Resolution
  /** Servers that are not ready and whose tools this caller might see. */
  pendingSources(): readonly SourceStatus[]
}

export type QuarantinedId = Pick<Tool, 'id' | 'safeName'>

export interface ViewDeps {
  readonly snapshot: CatalogSnapshot
  /** Sources that are not ready, as they stand when asked, policy applied. */
  readonly pendingSources: () => readonly SourceStatus[]
  readonly index: Pick<SearchIndex, 'scope' | 'suggest'>
  readonly isVisible: (tool: Tool) => boolean
  /** Tools in quarantine that this caller might see, as they stand when asked. */
  readonly quarantined: () => readonly QuarantinedId[]
  /** A visible tool as it is shown. */
  readonly shownAs: (tool: Tool) => Tool
  readonly clientTools: readonly Tool[]
}

export function createView(deps: ViewDeps): View {
  const { isVisible, shownAs } = deps
  const visible = new Map(deps.snapshot.tools.filter(isVisible).map((tool) => [tool.id, shownAs(tool)]))
  const brought = deps.clientTools.filter(isVisible).map(shownAs)
  for (const tool of brought) visible.set(tool.id, tool)
  const broughtIds = new Set(brought.map(({ id }) => id))
  const tools = [...visible.values()]
  let scope: SearchScope | undefined
  const scopeOf = (): SearchScope => (scope ??= deps.index.scope((id) => visible.has(id)))
  let bySafeName: ReadonlyMap<string, Tool> | undefined
  let byPath: ReadonlyMap<string, readonly Tool[]> | undefined

  const named = (name: string): readonly Tool[] => [
    ...(deps.snapshot.byName.get(name) ?? []).flatMap(({ id }) => {
      const tool = visible.get(id)
      return tool === undefined || broughtIds.has(id) ? [] : [tool]
    }),
    ...brought.filter((tool) => tool.name === name),
  ]
  const settle = (found: readonly Tool[], selector: string): Resolution => {
    const [only] = found
    if (found.length > 1) return { kind: 'ambiguous', ids: found.map((tool) => tool.id) }
    if (only !== undefined) return { kind: 'found', tool: only }
    const indexed = deps.index.suggest(selector, { limit: SUGGESTION_COUNT, accept: scopeOf() })
    // What the client brought is in no index.
    const near = brought.length === 0 ? indexed : likestIds(selector, [...indexed, ...broughtIds])
    return { kind: 'unknown', suggestions: near.slice(0, SUGGESTION_COUNT) }
  }
  return {
    revision: deps.snapshot.revision,
    tools,
    clientTools: brought,
    countBySource: countBySource(tools),
    has: (id) => visible.has(id),
    bySafeName(name) {
      bySafeName ??= new Map(tools.filter((tool) => tool.source !== 'client').map((tool) => [tool.safeName, tool]))
      return bySafeName.get(name)
    },
    quarantinedAs: (name) => deps.quarantined().find(({ safeName }) => safeName === name)?.id,
    scope: scopeOf,
    resolve(selector) {
      const exact = visible.get(selector)
      if (exact !== undefined) return { kind: 'found', tool: exact }
      // A server may name its tool as another's id; it does not get the calls of one that is down, denied or withheld.
      const found = settle(isToolId(selector) ? [] : named(selector), selector)
      return isToolId(selector) ? withAbsence(found, selector, { deps, visible }) : found
    },
    resolvePath(owner, name) {
      const exact = named(name).filter((tool) => tool.owner === owner)
      if (exact.length > 0) return settle(exact, `${owner}:${name}`)
      byPath ??= Map.groupBy(tools, (tool) => pathKey(tool.owner, tool.name))
      const met = settle(byPath.get(pathKey(owner, name)) ?? [], `${owner}:${name}`)
      const found = withAbsence(met, toolId('mcp', owner, name), { deps, visible })
      if (found.kind !== 'unknown' || found.suggestions.length > 0 || found.absence !== undefined) return found
      // Nothing is called like it: then what its owner does have.
      return { kind: 'unknown', suggestions: idsOf(owner, tools).slice(0, SUGGESTION_COUNT) }
    },
    pendingSources: deps.pendingSources,
  }
}

interface Seen {
  readonly deps: ViewDeps
  readonly visible: ReadonlyMap<string, Tool>
}

function withAbsence(resolution: Resolution, id: string, seen: Seen): Resolution {
  const absence = resolution.kind === 'unknown' ? absenceOf(id, seen) : undefined
  return resolution.kind === 'unknown' && absence !== undefined ? { ...resolution, absence } : resolution
}

function absenceOf(id: string, { deps, visible }: Seen): Absence | undefined {
  if (deps.quarantined().some((tool) => tool.id === id)) return { kind: 'quarantined', id }
  const prefixOf = ({ source, owner }: SourceStatus): string => toolId(source, owner, '')
  const pending = deps.pendingSources().find((status) => id.startsWith(prefixOf(status)))
  if (pending === undefined || pending.state.kind === 'ready') return undefined
  // What it had when it was last there is known: this is none of it.
  if (visible.keys().some((each) => each.startsWith(prefixOf(pending)))) return undefined
  return { kind: 'pending', id, server: pending.owner, state: pending.state.kind }
}

function idsOf(owner: string, tools: readonly Tool[]): readonly string[] {
  const own = tools.filter((tool) => identifier(tool.owner) === identifier(owner))
  return own.map(({ id }) => id).toSorted()
}

function countBySource(tools: readonly Tool[]): Readonly<Record<SourceKind, number>> {
  const counts: Record<SourceKind, number> = { plugin: 0, mcp: 0, client: 0 }
  for (const tool of tools) counts[tool.source] += 1
  return counts
}

/** Owner and name as an identifier could spell them: `read-file` and `read.file` are both met by `read_file`. */
function pathKey(owner: string, name: string): string {
  return `${identifier(owner)}.${identifier(name)}`
}

function identifier(text: string): string {
  return text.replace(/[^\p{L}\p{N}$]+/gu, '_')
}
