import type { JsonValue } from '../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../catalog/json.ts'
import type { ConfigPath } from './document/config-path.ts'

/** Whether a running gateway takes a change up by itself. */
export type Applies = 'live' | 'restart'

/** The longest matching beginning of a path decides. */
const TABLE: readonly (readonly [ConfigPath, Applies])[] = [
  [['gateway'], 'restart'],
  [['gateway', 'cors'], 'live'],
  [['models'], 'live'],
  [['agents'], 'live'],
  [['tools'], 'live'],
  [['approvals'], 'live'],
  [['hooks'], 'live'],
  [['mcp'], 'live'],
  [['mcp', 'forbiddenAddresses'], 'restart'],
  [['mcp', 'maxMessageBytes'], 'restart'],
  [['plugins'], 'live'],
  // The workers are started with their memory bound and compiler.
  [['sandbox'], 'restart'],
  [['sandbox', 'cpuMs'], 'live'],
  [['sandbox', 'calls'], 'live'],
  [['sandbox', 'callsInFlight'], 'live'],
  [['sandbox', 'argumentBytes'], 'live'],
  [['sandbox', 'resultIntoIsolateBytes'], 'live'],
  [['sandbox', 'outputBytes'], 'live'],
  [['sandbox', 'logBytes'], 'live'],
  [['sandbox', 'sourceBytes'], 'live'],
  [['store'], 'restart'],
  [['runs'], 'live'],
  [['redact'], 'live'],
  [['telemetry'], 'restart'],
]

export function appliesHow(path: ConfigPath): Applies {
  const matching = TABLE.filter(([start]) => start.every((key, index) => path[index] === key))
  const longest = matching.toSorted(([a], [b]) => b.length - a.length)[0]
  return longest?.[1] ?? 'restart'
}

/** Paths at which two configurations differ: objects are compared key by key, lists as a whole. */
export function changedPaths(before: JsonValue, after: JsonValue, path: ConfigPath = []): readonly ConfigPath[] {
  if (canonicalJson(before) === canonicalJson(after)) return []
  if (!isJsonObject(before) || !isJsonObject(after)) return [path]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => {
    const [left, right] = [before[key], after[key]]
    return left === undefined || right === undefined ? [[...path, key]] : changedPaths(left, right, [...path, key])
  })
}
