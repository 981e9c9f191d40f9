import type { BackgroundWork } from './background-work.ts'
import { createBackgroundWork } from './background-work.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import { readCatalogEntry } from './catalog-entry.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { compareText, takeSnapshot } from './catalog-snapshot.ts'
import type { SearchIndex } from './search/search-index.ts'
import type { SourceSink, SourceState, SourceStatus } from './source.ts'
import type { SourceKind } from './tool-id.ts'
import type { ToolDefinition } from './tool.ts'
import { toolId } from './tool-id.ts'

/** A tool that is registered but can neither be found nor called, and why. */
export interface QuarantinedTool {
  readonly id: string
  readonly source: SourceKind
  readonly owner: string
  readonly name: string
  readonly reason: string
  /** Which schema cannot be enforced, by which keyword, at which place of it. */
  readonly schema?: 'input' | 'output'
  readonly keyword?: string
  readonly path?: string
  /** The tool of the same id that was there first. */
  readonly shadowedBy?: string
  /** A person can let it through. */
  readonly awaits?: 'accept'
}

/** Why a tool cannot be taken as it is. */
export type ToolFault = Pick<QuarantinedTool, 'reason' | 'schema' | 'keyword' | 'path' | 'shadowedBy' | 'awaits'>

export interface Catalog extends SourceSink {
  snapshot(): CatalogSnapshot
  statuses(): readonly SourceStatus[]
  quarantined(): readonly QuarantinedTool[]
  /** Told after each change of tools, while that is still going on: look at the snapshot later. */
  onChange(listener: () => void): void
}

interface CatalogDeps {
  readonly index: Pick<SearchIndex, 'put' | 'remove'>
  /** Why a tool cannot be taken as it is (bad schema, look-alike name), or undefined when it can. */
  readonly findFault: (definition: ToolDefinition, id: string) => string | ToolFault | undefined
  readonly now: () => number
  /** Takes long lists; of its own by default. */
  readonly work?: Pick<BackgroundWork, 'run'>
}

interface Owner {
  readonly source: SourceKind
  readonly owner: string
  state: SourceState
  tools: ReadonlyMap<string, CatalogEntry>
  quarantined: readonly QuarantinedTool[]
  /** What the index has of it by content, while a list is taken also of that one. */
  readonly indexed: Map<string, bigint>
  /** Stands for the list that was given last: one that is still being taken when another comes is left where it is. */
  list: symbol
  taken: Promise<void>
  /** It went, and is forgotten when the index has nothing of it any more. */
  isGone: boolean
}

/** One index and one set of tools for the process; sources put tools in, views filter them. */
export function createCatalog(deps: CatalogDeps): Catalog {
  return new ToolCatalog(deps)
}

class ToolCatalog implements Catalog {
  readonly #deps: CatalogDeps
  readonly #work: Pick<BackgroundWork, 'run'>
  readonly #owners = new Map<string, Owner>()
  readonly #listeners = new Set<() => void>()
  #contentSum = 0n
  #snapshot: CatalogSnapshot | undefined

  constructor(deps: CatalogDeps) {
    this.#deps = deps
    this.#work = deps.work ?? createBackgroundWork()
  }

  setTools(source: SourceKind, owner: string, definitions: readonly ToolDefinition[]): void {
    this.#give(this.#owner(source, owner), definitions)
  }

  async taken(source: SourceKind, owner: string): Promise<void> {
    await this.#owners.get(ownerKey(source, owner))?.taken
  }

  setState(source: SourceKind, owner: string, state: SourceState): void {
    this.#owner(source, owner).state = state
  }

  removeOwner(source: SourceKind, owner: string): void {
    const entry = this.#owner(source, owner)
    entry.isGone = true
    this.#give(entry, [])
  }

  snapshot(): CatalogSnapshot {
    this.#snapshot ??= takeSnapshot(this.#owners.values(), this.#contentSum)
    return this.#snapshot
  }

  statuses(): readonly SourceStatus[] {
    const present = [...this.#owners.values()].filter(({ isGone }) => !isGone)
    const statuses = present.map((entry) => ({
      source: entry.source,
      owner: entry.owner,
      state: entry.state,
      toolCount: entry.tools.size,
    }))
    return statuses.toSorted((a, b) => compareText(`${a.source}:${a.owner}`, `${b.source}:${b.owner}`))
  }

  quarantined(): readonly QuarantinedTool[] {
    return [...this.#owners.values()].flatMap((entry) => entry.quarantined)
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  #owner(source: SourceKind, owner: string): Owner {
    const key = ownerKey(source, owner)
    const known = this.#owners.get(key)
    if (known?.isGone === false) return known
    const made: Owner = {
      source,
      owner,
      state: { kind: 'connecting', sinceMs: this.#deps.now() },
      tools: new Map(),
      quarantined: [],
      // One of that name that went may not be out of the index yet.
      indexed: known?.indexed ?? new Map(),
      list: Symbol(owner),
      taken: Promise.resolve(),
      isGone: false,
    }
    this.#owners.set(key, made)
    return made
  }

  #give(entry: Owner, definitions: readonly ToolDefinition[]): void {
    entry.list = Symbol(entry.owner)
    const steps = this.#take(entry, definitions)
    if (entry.source !== 'mcp') {
      // Only servers send lists that are long: plugins can rely on theirs.
      while (steps.next().done !== true);
      return
    }
    const taking = this.#work.run(steps)
    if (taking !== undefined) this.#withhold(entry, definitions)
    entry.taken = taking ?? Promise.resolve()
    // Not every giver waits for it, and what could not be taken now may be with the next list.
    entry.taken.catch(() => {})
  }

  /** What is withheld may not be called any more from this moment on, however long the rest of its list takes. */
  #withhold(entry: Owner, definitions: readonly ToolDefinition[]): void {
    const tools = new Map(entry.tools)
    const gone = definitions.flatMap(({ name, withheld }): readonly QuarantinedTool[] => {
      if (withheld === undefined) return []
      const { source, owner } = entry
      const id = toolId(source, owner, name)
      return tools.delete(id) ? [{ id, source, owner, name, ...withheld }] : []
    })
    if (gone.length > 0) this.#stand(entry, { tools, quarantined: [...entry.quarantined, ...gone] })
  }

  /**
   * Views show what the snapshot has: what is in the index before that, or still after, is in nobody's answer. So all that
   * takes time is done beside it, a tool a step, and the new list stands at once.
   */
  *#take(entry: Owner, definitions: readonly ToolDefinition[]): Generator<void, void> {
    const { list, indexed } = entry
    const key = ownerKey(entry.source, entry.owner)
    const isReplaced = (): boolean => entry.list !== list || this.#owners.get(key) !== entry
    const tools = new Map<string, CatalogEntry>()
    const quarantined: QuarantinedTool[] = []
    for (const definition of definitions) {
      const read = this.#read(entry, definition, tools)
      if (read.kind === 'bad') quarantined.push(read.tool)
      else {
        tools.set(read.tool.id, read)
        if (indexed.get(read.tool.id) !== read.contentHash) this.#deps.index.put(read.tool)
        indexed.set(read.tool.id, read.contentHash)
      }
      yield
      if (isReplaced()) return
    }
    this.#stand(entry, { tools, quarantined })
    for (const id of indexed.keys()) {
      if (tools.has(id)) continue
      this.#deps.index.remove(id)
      indexed.delete(id)
      yield
      if (isReplaced()) return
    }
    if (entry.isGone) this.#owners.delete(key)
  }

  #stand(entry: Owner, { tools, quarantined }: Pick<Owner, 'tools' | 'quarantined'>): void {
    for (const { contentHash } of entry.tools.values()) this.#contentSum -= contentHash
    for (const { contentHash } of tools.values()) this.#contentSum += contentHash
    entry.tools = tools
    entry.quarantined = quarantined
    this.#snapshot = undefined
    for (const listener of this.#listeners) listener()
  }

  #read(
    { source, owner }: Owner,
    definition: ToolDefinition,
    seen: ReadonlyMap<string, CatalogEntry>,
  ): (CatalogEntry & { readonly kind: 'good' }) | { readonly kind: 'bad'; readonly tool: QuarantinedTool } {
    const { name } = definition
    const id = toolId(source, owner, name)
    const fault = this.#faultOf(id, definition, seen)
    if (fault !== undefined) return { kind: 'bad', tool: { id, source, owner, name, ...fault } }
    const { tool, contentHash } = readCatalogEntry(source, owner, definition)
    return { kind: 'good', tool, contentHash }
  }

  #faultOf(id: string, definition: ToolDefinition, seen: ReadonlyMap<string, CatalogEntry>): ToolFault | undefined {
    if (seen.has(id)) {
      return { reason: `tool "${id}" is declared twice by its source; the first one is used`, shadowedBy: id }
    }
    if (definition.withheld !== undefined) return definition.withheld
    const fault = this.#deps.findFault(definition, id)
    return typeof fault === 'string' ? { reason: fault } : fault
  }
}

function ownerKey(source: SourceKind, owner: string): string {
  return `${source}:${owner}`
}
