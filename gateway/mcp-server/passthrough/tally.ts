/** How many of something each key has. */
export interface Tally {
  count(key: string): number
  add(key: string, change: 1 | -1): void
  total(): number
}

export function createTally(): Tally {
  const counts = new Map<string, number>()
  let total = 0
  const count = (key: string): number => counts.get(key) ?? 0
  return {
    count,
    add(key, change) {
      total += change
      const next = count(key) + change
      if (next === 0) counts.delete(key)
      else counts.set(key, next)
    },
    total: () => total,
  }
}
