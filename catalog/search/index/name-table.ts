import type { Tool } from '../../tool.ts'

/** Finds tools by what they are called: id, name, name run together, owner and name. */
export interface NameTable {
  add(tool: Tool, document: number): void
  remove(tool: Tool, document: number): void
  /** Documents that are called exactly so (any case, trimmed), then those that are when spaces and marks are left out. */
  find(text: string): NameMatches
}

export interface NameMatches {
  readonly exact: readonly number[]
  readonly squashed: readonly number[]
}

/** Letters and digits of a name only: `List_Tables`, `list tables` and `listtables` are one. */
export function squash(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

export function createNameTable(): NameTable {
  // One number for the many keys that only one tool has.
  const places = new Map<string, number | readonly number[]>()
  const documentsOf = (key: string): readonly number[] => {
    const found = places.get(key)
    return found === undefined ? [] : typeof found === 'number' ? [found] : found
  }
  return {
    add(tool, document) {
      for (const key of keysOf(tool)) {
        const known = documentsOf(key)
        places.set(key, known.length === 0 ? document : [...known, document])
      }
    },
    remove(tool, document) {
      for (const key of keysOf(tool)) {
        const rest = documentsOf(key).filter((other) => other !== document)
        if (rest.length === 0) places.delete(key)
        else places.set(key, rest.length === 1 ? (rest[0] ?? 0) : rest)
      }
    },
    find(text) {
      const lower = text.trim().toLowerCase()
      const keys = new Set([lower, withoutAffixes(lower)].map((form) => `~${squash(form)}`))
      return { exact: documentsOf(`=${lower}`), squashed: [...keys].flatMap(documentsOf) }
    },
  }
}

/** `mcp__files__read`, `tools.files.read` and the safe name `files__read_1a2b3c4d` are owner and name with something around. */
function withoutAffixes(name: string): string {
  return name.replace(/^(?:mcp|plugin|client|tools)(?:__|[:./])/, '').replace(/_[0-9a-f]{8}$/, '')
}

function keysOf(tool: Tool): ReadonlySet<string> {
  return new Set([
    `=${tool.id.toLowerCase()}`,
    `=${tool.name.toLowerCase()}`,
    `~${squash(tool.name)}`,
    `~${squash(tool.owner)}${squash(tool.name)}`,
  ])
}
