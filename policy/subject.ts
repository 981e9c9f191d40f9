import type { Tool } from '../catalog/tool.ts'

/** What a decision needs of a tool. */
export type ToolIdentity = Pick<Tool, 'id' | 'name' | 'source' | 'owner' | 'annotations'>

/** The same in lower case, made once for the many layers that look at it. */
export interface Subject {
  readonly id: string
  readonly name: string
  readonly source: string
  readonly owner: string
  readonly annotations: Tool['annotations']
}

export function subjectOf({ id, name, source, owner, annotations }: ToolIdentity): Subject {
  return { id: id.toLowerCase(), name: name.toLowerCase(), source, owner: owner.toLowerCase(), annotations }
}
