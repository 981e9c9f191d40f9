/**
 * Edits between two words: insertion, deletion, substitution, and transposition of neighbours, each 1 (Damerau,
 * optimal string alignment). Gives `limit + 1` as soon as it is more than the limit.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    let lowest = row
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      }
      current.push(cost)
      lowest = Math.min(lowest, cost)
    }
    if (lowest > limit) return limit + 1
    beforeLast = last
    last = current
  }
  return Math.min(limit + 1, last[b.length] ?? 0)
}
