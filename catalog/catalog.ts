import type { JsonObject } from './json.ts'
import { hashJson } from './json.ts'
import type { SearchIndex } from './search/search-index.ts'
import type { SourceSink, SourceState, SourceStatus } from './source.ts'
import type { SourceKind } from './tool-id.ts'
import type { Tool, ToolDefinition } from './tool.ts'
import { createTool } from './tool.ts'
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

/** All tools at one revision; never changes once made. */
export interface CatalogSnapshot {
  /** Content-based: the same tools give the same revision on every machine and in every order of loading. */
  readonly revision: string
  /** In order of id. */
  readonly tools: readonly Tool[]
  readonly byId: ReadonlyMap<string, Tool>
  readonly byName: ReadonlyMap<string, readonly Tool[]>
}

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
}

interface Owner {
  readonly source: SourceKind
  readonly owner: string
  state: SourceState
  tools: ReadonlyMap<string, Entry>
  quarantined: readonly QuarantinedTool[]
}

interface Entry {
  readonly tool: Tool
  readonly contentHash: bigint
}

/** One index and one set of tools for the process; sources put tools in, views filter them. */
export function createCatalog(deps: CatalogDeps): Catalog {
  return new ToolCatalog(deps)
}

class ToolCatalog implements Catalog {
  readonly #deps: CatalogDeps
  readonly #owners = new Map<string, Owner>()
  readonly #listeners = new Set<() => void>()
  #contentSum = 0n
  #snapshot: CatalogSnapshot | undefined

  constructor(deps: CatalogDeps) {
    this.#deps = deps
  }

  setTools(source: SourceKind, owner: string, definitions: readonly ToolDefinition[]): void {
    const entry = this.#owner(source, owner)
    const { tools, quarantined } = this.#read(entry, definitions)
    for (const [id, old] of entry.tools) {
      if (tools.has(id)) continue
      this.#deps.index.remove(id)
      this.#contentSum -= old.contentHash
    }
    for (const [id, added] of tools) {
      const old = entry.tools.get(id)
      if (old?.contentHash === added.contentHash) continue
      this.#deps.index.put(added.tool)
      this.#contentSum += added.contentHash - (old?.contentHash ?? 0n)
    }
    entry.tools = tools
    entry.quarantined = quarantined
    this.#snapshot = undefined
    for (const listener of this.#listeners) listener()
  }

  setState(source: SourceKind, owner: string, state: SourceState): void {
    this.#owner(source, owner).state = state
  }

  removeOwner(source: SourceKind, owner: string): void {
    this.setTools(source, owner, [])
    this.#owners.delete(ownerKey(source, owner))
  }

  snapshot(): CatalogSnapshot {
    this.#snapshot ??= takeSnapshot(this.#owners.values(), this.#contentSum)
    return this.#snapshot
  }

  statuses(): readonly SourceStatus[] {
    const statuses = [...this.#owners.values()].map((entry) => ({
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
    if (known !== undefined) return known
    const state: SourceState = { kind: 'connecting', sinceMs: this.#deps.now() }
    const made: Owner = { source, owner, state, tools: new Map(), quarantined: [] }
    this.#owners.set(key, made)
    return made
  }

  #read(entry: Owner, definitions: readonly ToolDefinition[]): Pick<Owner, 'tools' | 'quarantined'> {
    const tools = new Map<string, Entry>()
    const quarantined: QuarantinedTool[] = []
    for (const definition of definitions) {
      const id = toolId(entry.source, entry.owner, definition.name)
      const fault = this.#faultOf(id, definition, tools)
      if (fault === undefined) tools.set(id, readEntry(entry, definition))
      else quarantined.push({ id, source: entry.source, owner: entry.owner, name: definition.name, ...fault })
    }
    return { tools, quarantined }
  }

  #faultOf(id: string, definition: ToolDefinition, seen: ReadonlyMap<string, Entry>): ToolFault | undefined {
    if (seen.has(id)) {
      return { reason: `tool "${id}" is declared twice by its source; the first one is used`, shadowedBy: id }
    }
    if (definition.withheld !== undefined) return definition.withheld
    const fault = this.#deps.findFault(definition, id)
    return typeof fault === 'string' ? { reason: fault } : fault
  }
}

function readEntry(entry: Owner, definition: ToolDefinition): Entry {
  const tool = createTool(entry.source, entry.owner, definition)
  const content: JsonObject = {
    id: tool.id,
    schemas: tool.schemaHash,
    description: tool.description,
    title: tool.title ?? null,
    annotations: { ...tool.annotations },
    examples: tool.examples ?? [],
    ...(tool.listing && { listing: tool.listing }),
  }
  return { tool, contentHash: BigInt(`0x${hashJson(content).slice(0, 32)}`) }
}

/** A sum of hashes does not depend on the order of loading and changes by one addition when one tool does. */
function takeSnapshot(owners: Iterable<Owner>, contentSum: bigint): CatalogSnapshot {
  const tools = [...owners].flatMap((owner) => [...owner.tools.values()].map((entry) => entry.tool))
  tools.sort((a, b) => compareText(a.id, b.id))
  return {
    revision: BigInt.asUintN(128, contentSum).toString(16).padStart(32, '0'),
    tools,
    byId: new Map(tools.map((tool) => [tool.id, tool])),
    byName: Map.groupBy(tools, (tool) => tool.name),
  }
}

function ownerKey(source: SourceKind, owner: string): string {
  return `${source}:${owner}`
}

/** Code-unit order: the same on every machine, unlike a locale's. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
