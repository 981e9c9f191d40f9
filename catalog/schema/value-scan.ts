import type { JsonValue } from '../json.ts'
import { VALUE_MAX_DEPTH, VALUE_MAX_NODES } from './limits.ts'

export type ValueScan =
  | { readonly kind: 'safe'; readonly nodes: number }
  | { readonly kind: 'unsafe'; readonly path: string; readonly reason: string }

/** Own keys that reach a prototype when a tool copies its arguments carelessly. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

interface Pending {
  readonly value: JsonValue
  readonly depth: number
  readonly path: string
}

/** Looks through a value before any schema does: forbidden keys, depth, number of values. */
export function scanValue(root: JsonValue): ValueScan {
  const pending: Pending[] = [{ value: root, depth: 0, path: '' }]
  let nodes = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    nodes += 1
    const { value, depth, path } = next
    if (nodes > VALUE_MAX_NODES) return { kind: 'unsafe', path: '', reason: `has more than ${VALUE_MAX_NODES} values` }
    if (typeof value !== 'object' || value === null) continue
    if (depth >= VALUE_MAX_DEPTH) return { kind: 'unsafe', path, reason: `is nested deeper than ${VALUE_MAX_DEPTH}` }
    for (const [key, entry] of Object.entries(value)) {
      const inner = `${path}/${escapeToken(key)}`
      if (!Array.isArray(value) && FORBIDDEN_KEYS.has(key)) {
        return { kind: 'unsafe', path: inner, reason: `has the key ${key}, which is never accepted` }
      }
      pending.push({ value: entry, depth: depth + 1, path: inner })
    }
  }
  return { kind: 'safe', nodes }
}

/** One token of a JSON pointer. */
export function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
