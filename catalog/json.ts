import { hash } from 'node:crypto'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** True for a plain key-value object; false for arrays and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON with keys in code-unit order at every depth: equal values give equal text on every machine. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  let text = '{'
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    // undefined stands for an absent key, as in JSON.stringify.
    if (member !== undefined) text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`
  }
  return `${text}}`
}

/** As PHP writes an object without members, too. */
export function isEmptyList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length === 0
}

/** SHA-256 of the canonical JSON, 64 hexadecimal digits. */
export function hashJson(value: JsonValue): string {
  return hash('sha256', canonicalJson(value))
}
