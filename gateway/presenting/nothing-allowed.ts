import type { View } from '../../catalog/view.ts'
import type { CallerPolicy } from '../../policy/decide.ts'
import { formatPath } from '../config/document/config-path.ts'

export interface NothingAllowed {
  readonly message: string
  /** Where the request's own list leaves nothing. */
  readonly param?: 'toolsAllow'
}

/**
 * Why no tool is left where a list names what is allowed: a slip in it would otherwise show only in a model that says
 * that it cannot. Undefined where there are tools, or where no list asked for any.
 */
export function nothingAllowed(view: View, policy: Pick<CallerPolicy, 'allowLists'>): NothingAllowed | undefined {
  if (view.tools.length > 0) return undefined
  // Tools of clients come with a request, or do not.
  const lists = policy.allowLists().filter(({ entries }) => entries.some((entry) => !isOfClient(entry)))
  if (lists.length === 0) return undefined
  const named = [...new Set(lists.map(({ path }) => formatPath(path)))]
  const pending = view.pendingSources().map(({ owner }) => owner)
  const waiting = pending.length === 0 ? '' : `; not connected: ${pending.join(', ')}`
  const message = `no tool is left of what ${named.join(' and ')} allows for this caller${waiting}; correct the list, or ask an operator for "drawbridge explain --all"`
  return { message, ...(named.includes('toolsAllow') && { param: 'toolsAllow' }) }
}

function isOfClient(entry: string): boolean {
  return /^\s*(?:client:|group:client\s*$)/i.test(entry)
}
