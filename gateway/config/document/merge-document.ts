import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { ConfigPath } from './config-path.ts'
import { valueAt } from './config-path.ts'
import type { EditResult } from './edit-document.ts'
import { setPath, unsetPath } from './edit-document.ts'
import { parseDocument } from './parse-document.ts'

/**
 * Merges an object into what stands at a path, as RFC 7396 says: objects key by key, `null` takes away, anything else
 * replaces. Only what differs is touched.
 */
export function mergeDocument(text: string, path: ConfigPath, patch: JsonObject): EditResult {
  const parsed = parseDocument(text)
  if (parsed.kind === 'invalid') return { kind: 'refused', problems: parsed.problems }
  let merged = text
  for (const step of stepsOf(valueAt(parsed.document.value, path), path, patch)) {
    const edited = step.value === undefined ? unsetPath(merged, step.path) : setPath(merged, step.path, step.value)
    if (edited.kind === 'refused') return edited
    if (edited.kind === 'edited') merged = edited.text
  }
  return merged === text ? { kind: 'unchanged' } : { kind: 'edited', text: merged }
}

interface Step {
  readonly path: ConfigPath
  /** Undefined: taken away. */
  readonly value: JsonValue | undefined
}

function stepsOf(current: JsonValue | undefined, path: ConfigPath, patch: JsonValue): readonly Step[] {
  if (!isJsonObject(patch)) return [{ path, value: patch ?? undefined }]
  // The root is always there to merge into.
  if (!isJsonObject(current) && path.length > 0) return [{ path, value: withoutNulls(patch) }]
  return Object.entries(patch).flatMap(([key, value]) => {
    const own = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined
    if (value === null && own === undefined) return []
    return stepsOf(own, [...path, key], value)
  })
}

function withoutNulls(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([, child]) => child !== null)
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]))
}
