export interface TopEntry {
  readonly document: number
  readonly score: number
}

/** Keeps the best entries that it is offered. */
export interface TopList {
  offer(document: number, score: number): void
  /** Lowest score that would still be kept. */
  floor(): number
  /** Best first. */
  take(): TopEntry[]
}

/**
 * A binary heap with the worst entry on top, in plain arrays: `offer` runs once a matching tool. Of equal scores the
 * document that precedes the other is the better, so that what is kept does not depend on the order of offers.
 */
export function createTopList(limit: number, precedes: (a: number, b: number) => boolean): TopList {
  const documents: number[] = []
  const scores: number[] = []

  function isWorse(a: number, b: number): boolean {
    const difference = (scores[a] ?? 0) - (scores[b] ?? 0)
    return difference === 0 ? precedes(documents[b] ?? 0, documents[a] ?? 0) : difference < 0
  }

  function swap(a: number, b: number): void {
    const document = documents[a] ?? 0
    const score = scores[a] ?? 0
    documents[a] = documents[b] ?? 0
    scores[a] = scores[b] ?? 0
    documents[b] = document
    scores[b] = score
  }

  function siftDown(): void {
    let place = 0
    for (;;) {
      const left = place * 2 + 1
      if (left >= scores.length) return
      const right = left + 1
      const smaller = right < scores.length && isWorse(right, left) ? right : left
      if (!isWorse(smaller, place)) return
      swap(place, smaller)
      place = smaller
    }
  }

  function siftUp(): void {
    let place = scores.length - 1
    while (place > 0) {
      const parent = (place - 1) >>> 1
      if (!isWorse(place, parent)) return
      swap(place, parent)
      place = parent
    }
  }

  return {
    offer(document, score) {
      if (scores.length < limit) {
        documents.push(document)
        scores.push(score)
        siftUp()
        return
      }
      const worst = scores[0] ?? 0
      if (score < worst || (score === worst && !precedes(document, documents[0] ?? 0))) return
      documents[0] = document
      scores[0] = score
      siftDown()
    },
    floor: () => (scores.length < limit ? -Infinity : (scores[0] ?? 0)),
    take: () =>
      documents
        .map((document, place) => ({ document, score: scores[place] ?? 0 }))
        .toSorted((a, b) => b.score - a.score || (precedes(a.document, b.document) ? -1 : 1)),
  }
}
