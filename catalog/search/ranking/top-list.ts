export interface TopEntry {
  readonly document: number
  readonly score: number
}

/**
 * Keeps the best entries that it is offered: a binary heap with the worst on top, in plain arrays, since `offer` runs
 * once a matching tool. Of equal scores the document that precedes the other is the better, so that what is kept does
 * not depend on the order of offers.
 */
export class TopList {
  readonly #limit: number
  readonly #precedes: (a: number, b: number) => boolean
  readonly #documents: number[] = []
  readonly #scores: number[] = []

  constructor(limit: number, precedes: (a: number, b: number) => boolean) {
    this.#limit = limit
    this.#precedes = precedes
  }

  /** Lowest score that may still be kept. */
  floor(): number {
    return this.#scores.length < this.#limit ? -Infinity : (this.#scores[0] ?? 0)
  }

  offer(document: number, score: number): void {
    if (this.#scores.length < this.#limit) {
      this.#documents.push(document)
      this.#scores.push(score)
      this.#siftUp()
      return
    }
    const worst = this.#scores[0] ?? 0
    if (score < worst || (score === worst && !this.#precedes(document, this.#documents[0] ?? 0))) return
    this.#documents[0] = document
    this.#scores[0] = score
    this.#siftDown()
  }

  /** Best first. */
  take(): TopEntry[] {
    return this.#documents
      .map((document, place) => ({ document, score: this.#scores[place] ?? 0 }))
      .toSorted((a, b) => b.score - a.score || (this.#precedes(a.document, b.document) ? -1 : 1))
  }

  #isWorse(a: number, b: number): boolean {
    const difference = (this.#scores[a] ?? 0) - (this.#scores[b] ?? 0)
    if (difference !== 0) return difference < 0
    return this.#precedes(this.#documents[b] ?? 0, this.#documents[a] ?? 0)
  }

  #swap(a: number, b: number): void {
    const document = this.#documents[a] ?? 0
    const score = this.#scores[a] ?? 0
    this.#documents[a] = this.#documents[b] ?? 0
    this.#scores[a] = this.#scores[b] ?? 0
    this.#documents[b] = document
    this.#scores[b] = score
  }

  #siftDown(): void {
    let place = 0
    for (;;) {
      const left = place * 2 + 1
      if (left >= this.#scores.length) return
      const right = left + 1
      const worse = right < this.#scores.length && this.#isWorse(right, left) ? right : left
      if (!this.#isWorse(worse, place)) return
      this.#swap(place, worse)
      place = worse
    }
  }

  #siftUp(): void {
    let place = this.#scores.length - 1
    while (place > 0) {
      const parent = (place - 1) >>> 1
      if (!this.#isWorse(place, parent)) return
      this.#swap(place, parent)
      place = parent
    }
  }
}
