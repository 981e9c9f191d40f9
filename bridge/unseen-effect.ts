import type { Tool } from '../catalog/tool.ts'
import type { Effect } from './outcome.ts'

/** What a call may have changed whose end was not seen: a read-only tool changes nothing, however the call ends. */
export function unseenEffect({ annotations }: Pick<Tool, 'annotations'>): Extract<Effect, 'none' | 'unknown'> {
  return annotations.readOnlyHint === true ? 'none' : 'unknown'
}
