import type { EntryList, PolicyPath } from '../layer.ts'
import { matchesParts } from '../pattern.ts'
import type { Subject } from '../subject.ts'
import type { Glob, GlobIndex } from './glob-index.ts'
import { createGlobIndex } from './glob-index.ts'
import type { Groups } from './groups.ts'
import { readGroup } from './groups.ts'

/** An entry as it is written, and where. */
export interface Entry {
  readonly text: string
  readonly path: PolicyPath
}

/** The entries of a list, in order, ready to be asked for a tool. */
export interface EntryIndex {
  /** The first entry that names the tool. */
  first(subject: Subject): Entry | undefined
  /** Positions of all entries that name the tool, in order. */
  all(subject: Subject): readonly number[]
}

/** Exact entries, groups and globs are each looked up, so that thousands of entries cost a tool some look-ups. */
export function createEntryIndex({ path, entries }: EntryList, groups: Groups): EntryIndex {
  const named = nameEntries(entries, groups)
  const looked = { named, globs: createGlobIndex(named.globs) }
  return {
    first(subject) {
      let first = entries.length
      visit(subject, looked, (position) => {
        if (position < first) first = position
      })
      const text = entries[first]
      return text === undefined ? undefined : { text, path: [...path, first] }
    },
    all(subject) {
      const found = new Set<number>()
      visit(subject, looked, (position) => found.add(position))
      return [...found].toSorted((a, b) => a - b)
    },
  }
}

/** Entries by what they name; positions in ascending order. */
interface NamedEntries {
  readonly exact: ReadonlyMap<string, readonly number[]>
  readonly sources: ReadonlyMap<string, readonly number[]>
  readonly owners: ReadonlyMap<string, readonly number[]>
  readonly globs: readonly Glob[]
}

function nameEntries(texts: readonly string[], groups: Groups): NamedEntries {
  const exact = new Map<string, number[]>()
  const sources = new Map<string, number[]>()
  const owners = new Map<string, number[]>()
  const globs: Glob[] = []
  const add = (text: string, position: number, within: readonly string[]): void => {
    const entry = text.trim().toLowerCase()
    const group = readGroup(entry, groups)
    if (group === undefined) {
      if (entry.includes('*')) globs.push({ parts: entry.split('*'), position })
      else push(exact, entry, position)
    } else if (group.kind === 'source') push(sources, group.source, position)
    else if (group.kind === 'owner') push(owners, group.owner, position)
    // A circle is refused when the configuration is read; here it only has to end.
    else if (!within.includes(group.name)) {
      for (const member of group.members) add(member, position, [...within, group.name])
    }
  }
  for (const [position, text] of texts.entries()) add(text, position, [])
  return { exact, sources, owners, globs }
}

function push(map: Map<string, number[]>, key: string, position: number): void {
  const positions = map.get(key)
  if (positions === undefined) map.set(key, [position])
  else positions.push(position)
}

interface Looked {
  readonly named: NamedEntries
  readonly globs: GlobIndex
}

function visit(subject: Subject, { named, globs }: Looked, found: (position: number) => void): void {
  const { id, name, source, owner } = subject
  for (const position of named.exact.get(id) ?? NONE) found(position)
  if (name !== id) for (const position of named.exact.get(name) ?? NONE) found(position)
  for (const position of named.sources.get(source) ?? NONE) found(position)
  // A client's own tools are `group:client`; their owner is nobody's plugin or server.
  if (source !== 'client') for (const position of named.owners.get(owner) ?? NONE) found(position)
  if (named.globs.length === 0) return
  const attempt = (glob: Glob): void => {
    if (matchesParts(glob.parts, id) || matchesParts(glob.parts, name)) found(glob.position)
  }
  globs.visitCandidates(id, attempt)
  // The pieces of a name that the id ends with were all met in the id.
  if (!id.endsWith(name)) globs.visitCandidates(name, attempt)
}

const NONE: readonly number[] = []
