import type { Tool } from '../../tool.ts'
import type { ToolStore } from '../index/tool-store.ts'
import type { Accept, SearchFilter } from '../search-index.ts'

/** The view and the filter as one question about an internal number. */
export function acceptsOf(store: ToolStore, accept: Accept, filter?: SearchFilter): (document: number) => boolean {
  const isInView = viewOf(store, accept)
  if (filter === undefined) return isInView
  return (document) => {
    const tool = store.toolAt(document)
    return tool !== undefined && passes(tool, filter) && isInView(document)
  }
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

function passes(tool: Tool, filter: SearchFilter): boolean {
  if (filter.source !== undefined && tool.source !== filter.source) return false
  if (filter.owner !== undefined && tool.owner !== filter.owner) return false
  return filter.readOnly === undefined || (tool.annotations.readOnlyHint === true) === filter.readOnly
}
