import { BEGINNING_LENGTH, NEAR_MISS_LENGTH, NEAR_MISS_NAMES } from './limits.ts'

/** The name that was most likely meant: the same letters in another spelling, one or two slips away, or the only longer or shorter one. */
export function nearMiss(name: string, candidates: readonly string[]): string | undefined {
  if (name === '' || name.length > NEAR_MISS_LENGTH) return undefined
  const considered = candidates.slice(0, NEAR_MISS_NAMES).filter((other) => other.length <= NEAR_MISS_LENGTH)
  const bare = bareName(name)
  const respelt = considered.find((other) => bareName(other) === bare && bare !== '')
  if (respelt !== undefined) return respelt
  const most = Math.min(3, Math.floor(Math.max(bare.length, 2) / 3) || 1)
  let best: { readonly other: string; readonly distance: number } | undefined
  for (const other of considered) {
    if (Math.abs(other.length - name.length) > most + 2) continue
    const distance = slips(bare, bareName(other))
    if (distance <= most && distance < bare.length && distance < (best?.distance ?? Infinity))
      best = { other, distance }
  }
  return best?.other ?? onlyBeginning(bare, considered)
}

/** `duration` for `durationMinutes`, where no other name begins alike. */
function onlyBeginning(bare: string, candidates: readonly string[]): string | undefined {
  const alike = candidates.filter((other) => {
    const [short = '', long = ''] = [bare, bareName(other)].toSorted((a, b) => a.length - b.length)
    return short.length >= BEGINNING_LENGTH && long.startsWith(short)
  })
  return alike.length === 1 ? alike[0] : undefined
}

/** `file_path`, `filePath` and `file-path` are one name. */
function bareName(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '')
}

/** Letters added, left out, changed or swapped with their neighbour (Damerau's distance, each pair swapped once). */
function slips(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const changed = at(last, column - 1) + (isSame ? 0 : 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap ? at(beforeLast, column - 2) + 1 : Infinity
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, changed, swapped))
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
