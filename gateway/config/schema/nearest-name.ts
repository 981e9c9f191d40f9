import { CUT_NAME_CHARS } from '../limits.ts'

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

/** `base_url`, `base-url` and `BaseURL` are the same slip. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '')
}

/** `gpt-5` for `gpt-5.4`, `timeout` for `timeoutMs`. */
function isCutShort(wanted: string, name: string): boolean {
  return wanted.length >= CUT_NAME_CHARS && name.length > wanted.length && name.startsWith(wanted)
}

/** Infinity where the lengths alone say that there are more than `most`. */
function slipsBetween(wanted: string, name: string, most: number): number {
  if (isCutShort(wanted, name)) return 1
  return Math.abs(wanted.length - name.length) > most ? Number.POSITIVE_INFINITY : distanceOf(wanted, name)
}

/** Edits between two words, a swap of neighbours counted as one (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      line.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (line[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = line
  }
  return last[b.length] ?? 0
}
