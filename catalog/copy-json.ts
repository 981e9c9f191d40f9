import type { JsonValue } from './json.ts'

/**
 * A stranger's value as JSON of our own, without what hangs on it (functions, symbols) and without any way back to it;
 * undefined where it is no JSON: a function, a cycle, a bigint.
 */
export function copyJson(value: unknown): JsonValue | undefined {
  try {
    const text: string | undefined = JSON.stringify(value)
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    // A cycle or a bigint; or a `toJSON` of the stranger's that threw.
    return undefined
  }
}
