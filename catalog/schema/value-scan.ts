import type { JsonValue } from '../json.ts'
import { VALUE_MAX_DEPTH, VALUE_MAX_NODES } from './limits.ts'

export type ValueScan =
  | { readonly kind: 'safe'; readonly nodes: number }
  | { readonly kind: 'unsafe'; readonly path: string; readonly reason: string }

/** Own keys that reach a prototype when a tool copies its arguments carelessly. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Looks through a value before any schema does: forbidden keys, depth, number of values. */
export function scanValue(root: JsonValue): ValueScan {
  let nodes = 0
  // Recursion is bounded by the depth that it checks. The path is only put together on the way back from a problem.
  const scan = (value: JsonValue, depth: number): { path: string; reason: string } | undefined => {
    nodes += 1
    if (nodes > VALUE_MAX_NODES) return { path: '', reason: `has more than ${VALUE_MAX_NODES} values` }
    if (typeof value !== 'object' || value === null) return undefined
    if (depth >= VALUE_MAX_DEPTH) return { path: '', reason: `is nested deeper than ${VALUE_MAX_DEPTH} levels` }
    const isList = Array.isArray(value)
    for (const [key, entry] of Object.entries(value)) {
      const isForbidden = !isList && FORBIDDEN_KEYS.has(key)
      const problem = isForbidden ? { path: '', reason: 'has a key that is never accepted' } : scan(entry, depth + 1)
      if (problem !== undefined) return { ...problem, path: `/${escapeToken(key)}${problem.path}` }
    }
    return undefined
  }
  const problem = scan(root, 0)
  return problem === undefined ? { kind: 'safe', nodes } : { kind: 'unsafe', ...problem }
}

/** One token of a JSON pointer. */
export function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
