import { editDistance } from '../../catalog/edit-distance.ts'
import { CUT_NAME_CHARS } from './limits.ts'

/** The name that was probably meant: the nearest by edit distance, if it is near enough to be a slip. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const wanted = fold(given)
  const bound = Math.max(1, Math.floor(wanted.length / 3))
  const ranked = names
    .map((name) => ({ name, distance: slipsBetween(wanted, fold(name), bound) }))
    .filter(({ distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return ranked[0]?.name
}

function slipsBetween(wanted: string, name: string, bound: number): number {
  return isCutShort(wanted, name) ? 1 : editDistance(wanted, name, bound)
}

/** `base_url`, `base-url` and `BaseURL` are the same slip. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** `gpt-5` for `gpt-5.4`, `timeout` for `timeoutMs`. */
function isCutShort(wanted: string, name: string): boolean {
  return wanted.length >= CUT_NAME_CHARS && name.length > wanted.length && name.startsWith(wanted)
}
