import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'

/** Keys and array positions from the root of the configuration. */
export type ConfigPath = readonly (string | number)[]

export type ParsedPath =
  | { readonly kind: 'path'; readonly path: ConfigPath }
  | { readonly kind: 'invalid'; readonly message: string }

/** One step: `.key` (the first without its dot), `[0]`, `["any key"]` or `['any key']`. */
const STEP = /^(?:\.?([^.[\]"'\s]+)|\[(\d{1,6})\]|\[("(?:[^"\\]|\\.)*")\]|\['((?:[^'\\]|\\.)*)'\])/

/** Keys that reach an object's prototype in careless code; none is a name that anyone needs. */
const FORBIDDEN_KEYS: ReadonlySet<unknown> = new Set(['__proto__', 'constructor', 'prototype'])

export function isForbiddenKey(key: string | number): boolean {
  return FORBIDDEN_KEYS.has(key)
}

/** Reads `mcp.servers.files.args[0]` and `agents["my agent"].model`. */
export function parsePath(text: string): ParsedPath {
  const path: (string | number)[] = []
  for (let rest = text; rest !== '';) {
    const match = STEP.exec(rest)
    const isDotMissing = match?.[1] !== undefined && path.length > 0 !== rest.startsWith('.')
    if (!match || isDotMissing) return { kind: 'invalid', message: notAPath(text, text.length - rest.length) }
    const key = keyOf(match)
    if (key === undefined) return { kind: 'invalid', message: notAPath(text, text.length - rest.length) }
    if (isForbiddenKey(key))
      return { kind: 'invalid', message: `path "${text}" has the key "${key}", which is refused` }
    path.push(key)
    rest = rest.slice(match[0].length)
  }
  if (path.length === 0) return { kind: 'invalid', message: 'the path is empty; give one, e.g. tools.toolSearch' }
  return { kind: 'path', path }
}

/** The shortest text that `parsePath` reads back. */
export function formatPath(path: ConfigPath): string {
  return path.map((key, index) => formatStep(key, index === 0)).join('')
}

/** The value at a path; undefined where there is none. Only own keys count. */
export function valueAt(value: JsonValue, path: ConfigPath): JsonValue | undefined {
  let found: JsonValue | undefined = value
  for (const key of path) {
    if (Array.isArray(found)) found = typeof key === 'number' ? found[key] : undefined
    else found = isJsonObject(found) && Object.hasOwn(found, String(key)) ? found[String(key)] : undefined
    if (found === undefined) return undefined
  }
  return found
}

function formatStep(key: string | number, isFirst: boolean): string {
  if (typeof key === 'number') return `[${key}]`
  if (!/^[^.[\]"'\s]+$/.test(key)) return `[${JSON.stringify(key)}]`
  return isFirst ? key : `.${key}`
}

function keyOf([, plain, index, double, single]: RegExpExecArray): string | number | undefined {
  if (plain !== undefined) return plain
  if (index !== undefined) return Number(index)
  if (single !== undefined) return single.replace(/\\(.)/g, '$1')
  return double === undefined ? undefined : parseJsonString(double)
}

function parseJsonString(text: string): string | undefined {
  try {
    return String(JSON.parse(text))
  } catch {
    // An escape that JSON does not know: the caller reports the path.
    return undefined
  }
}

function notAPath(text: string, offset: number): string {
  return `path "${text}" cannot be read from character ${offset + 1} on; write it as mcp.servers.files.args[0] or agents["my agent"].model`
}
