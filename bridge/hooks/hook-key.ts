import { hashJson } from '../../catalog/json.ts'
import type { RegisteredHook } from '../hooks.ts'

const KEY_CHARS = 16

/** Every call needs the keys of all its handlers, and a handler's source is long to hash. */
const keysKnown = new WeakMap<RegisteredHook, string>()

/**
 * Tells a handler again after a restart: the same plugin, the same words. One whose code has changed is another, and has
 * not been asked yet.
 */
export function hookKey(hook: RegisteredHook): string {
  const known = keysKnown.get(hook)
  if (known !== undefined) return known
  const { plugin, event, matcher, priority, handler } = hook
  const key = hashJson([plugin, event, matcher ?? null, priority, String(handler)]).slice(0, KEY_CHARS)
  keysKnown.set(hook, key)
  return key
}

/** Those that are not among the keys; of several alike as many as there are more of. */
export function hooksBeyond<Hook extends RegisteredHook>(
  hooks: readonly Hook[],
  keys: readonly string[],
): readonly Hook[] {
  const left = new Map<string, number>()
  for (const key of keys) left.set(key, (left.get(key) ?? 0) + 1)
  return hooks.filter((hook) => {
    const key = hookKey(hook)
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}
