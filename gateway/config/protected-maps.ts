import type { JsonValue } from '../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../catalog/json.ts'
import type { ConfigPath } from './document/config-path.ts'
import { valueAt } from './document/config-path.ts'

/** Maps of things that were set up one by one: a value for the whole would drop all others without a word. */
const PROTECTED_MAPS: readonly ConfigPath[] = [
  ['mcp', 'servers'],
  ['models', 'providers'],
  ['agents'],
  ['plugins', 'entries'],
]

export interface ProtectedMap {
  readonly path: ConfigPath
  /** What stands there by name. */
  readonly names: readonly string[]
}

/** The protected map that setting a value would replace; undefined where none is, or nothing would change. */
export function replacedMap(current: JsonValue, path: ConfigPath, value: JsonValue): ProtectedMap | undefined {
  for (const map of PROTECTED_MAPS) {
    const isWithin = path.every((key, index) => map[index] === key)
    const present = isWithin ? valueAt(current, map) : undefined
    if (!isJsonObject(present) || Object.keys(present).length === 0) continue
    const next = valueAt(value, map.slice(path.length))
    const isSame = next !== undefined && canonicalJson(next) === canonicalJson(present)
    if (!isSame) return { path: map, names: Object.keys(present) }
  }
  return undefined
}
