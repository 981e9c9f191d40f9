import type { Tool } from '../../tool.ts'
import type { ToolStore } from '../index/tool-store.ts'
import type { Accept, SearchFilter } from '../search-index.ts'

/** The view and the filter as one question about an internal number. */
export function acceptsOf(store: ToolStore, accept: Accept, filter?: SearchFilter): (document: number) => boolean {
  const isInView = viewOf(store, accept)
  if (filter === undefined) return isInView
  const passes = passesOf(filter)
  return (document) => {
    const tool = store.toolAt(document)
    return tool !== undefined && passes(tool) && isInView(document)
  }
}

/** In any case: who asks for "GitHub" means the server "github", and would hear that there is nothing of the kind. */
export function isOwner(owner: string, asked: string): boolean {
  return owner === asked || owner.toLowerCase() === asked.toLowerCase()
}

function viewOf(store: ToolStore, accept: Accept): (document: number) => boolean {
  if (typeof accept !== 'function') {
    const { accepted, revision } = accept
    if (revision === store.revision()) return (document) => accepted[document] === 1
    return (document) => accepted[document] === 1 && store.birthOf(document) <= revision
  }
  return (document) => {
    const tool = store.toolAt(document)
    return tool !== undefined && accept(tool.id)
  }
}

function passesOf({ source, owner, readOnly }: SearchFilter): (tool: Tool) => boolean {
  // Asked for each tool that holds a word of the query; owners are few.
  const owners = new Map<string, boolean>()
  const isAsked = (name: string, asked: string): boolean => {
    const known = owners.get(name) ?? isOwner(name, asked)
    owners.set(name, known)
    return known
  }
  return (tool) => {
    if (source !== undefined && tool.source !== source) return false
    if (owner !== undefined && !isAsked(tool.owner, owner)) return false
    return readOnly === undefined || (tool.annotations.readOnlyHint === true) === readOnly
  }
}
