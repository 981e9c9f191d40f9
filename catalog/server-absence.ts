import type { SourceStatus } from './source.ts'
import type { Tool } from './tool.ts'
import type { View } from './view.ts'

/** How a server is not there; a model reads it. */
export type ServerAbsence = 'still connecting' | 'down' | 'waiting for a login'

export function absenceOf({ state }: Pick<SourceStatus, 'state'>): ServerAbsence {
  if (state.kind !== 'down') return 'still connecting'
  return state.needs === 'login' ? 'waiting for a login' : 'down'
}

/** Why a tool of the view cannot be called at this moment, though it is known; undefined where it can. */
export function unavailableIn(view: Pick<View, 'pendingSources'>): (tool: Tool) => ServerAbsence | undefined {
  const pending = view.pendingSources()
  // As a rule all servers are there.
  if (pending.length === 0) return () => undefined
  const absences = new Map(pending.map((status) => [`${status.source}:${status.owner}`, absenceOf(status)]))
  return ({ source, owner }) => absences.get(`${source}:${owner}`)
}
