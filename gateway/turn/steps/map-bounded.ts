/** Maps side by side, at most `limit` at once; results stand in the order of `items`. The first throw wins, once all have ended. */
export async function mapBounded<T, R>(
  items: readonly T[],
  limit: number,
  map: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>()
  const queue = items.entries()
  const lanes = Array.from({ length: Math.min(limit, items.length) }, async () => {
    // One iterator for all lanes: each takes the next item that no other has taken.
    for (const [index, item] of queue) results.set(index, await map(item, index))
  })
  const ends = await Promise.allSettled(lanes)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return items.flatMap((_, index) => {
    const result = results.get(index)
    return result === undefined ? [] : [result]
  })
}
