/**
 * Inverted index: for each term the tools that hold it, as packed numbers (document in the high 20 bits, impact in the
 * low 12) in ascending order. Typed arrays, because one object a posting would cost ten times the memory.
 */
export interface Postings {
  numberOf(term: string): number | undefined
  termAt(number: number): string
  /** Adds the document to the term's list and gives the term's number; `impact` is 0 to 1. */
  add(term: string, document: number, impact: number): number
  remove(number: number, document: number): void
  /** The packed list; only its first `countOf(number)` entries count. */
  listOf(number: number): Uint32Array
  countOf(number: number): number
  termCount(): number
  /** All term numbers are below this one. */
  termCapacity(): number
}

export const IMPACT_BITS = 12
export const IMPACT_MAX = 2 ** IMPACT_BITS - 1
/** One more document than the packed form can number. */
export const DOCUMENTS_MAX = 2 ** (32 - IMPACT_BITS)

const EMPTY = new Uint32Array(0)

export function createPostings(): Postings {
  const numbers = new Map<string, number>()
  const names: string[] = []
  const lists: Uint32Array[] = []
  const counts: number[] = []
  const free: number[] = []

  function numberFor(term: string): number {
    const known = numbers.get(term)
    if (known !== undefined) return known
    const number = free.pop() ?? names.length
    numbers.set(term, number)
    names[number] = term
    lists[number] = EMPTY
    counts[number] = 0
    return number
  }

  return {
    numberOf: (term) => numbers.get(term),
    termAt: (number) => names[number] ?? '',
    add(term, document, impact) {
      const number = numberFor(term)
      const count = counts[number] ?? 0
      const list = withRoom(lists[number] ?? EMPTY, count)
      const place = placeOf(list, count, document)
      list.copyWithin(place + 1, place, count)
      // Never 0, so that a match is told from no match.
      const packedImpact = Math.max(1, Math.round(impact * IMPACT_MAX))
      list[place] = document * 2 ** IMPACT_BITS + packedImpact
      lists[number] = list
      counts[number] = count + 1
      return number
    },
    remove(number, document) {
      const list = lists[number] ?? EMPTY
      const count = counts[number] ?? 0
      const place = placeOf(list, count, document)
      if (place >= count || (list[place] ?? 0) >>> IMPACT_BITS !== document) return
      list.copyWithin(place, place + 1, count)
      counts[number] = count - 1
      if (count > 1) return
      // A term that no tool holds any more is forgotten: catalogs come and go, the vocabulary must not only grow.
      numbers.delete(names[number] ?? '')
      lists[number] = EMPTY
      free.push(number)
    },
    listOf: (number) => lists[number] ?? EMPTY,
    countOf: (number) => counts[number] ?? 0,
    termCount: () => numbers.size,
    termCapacity: () => names.length,
  }
}

/** Grows by a quarter: most terms are rare, and half-empty lists would be the larger part of the index. */
function withRoom(list: Uint32Array, count: number): Uint32Array {
  if (count < list.length) return list
  const larger = new Uint32Array(count < 2 ? count + 1 : Math.ceil(count * 1.25) + 1)
  larger.set(list.subarray(0, count))
  return larger
}

/** First place whose document is not below the given one. */
function placeOf(list: Uint32Array, count: number, document: number): number {
  let low = 0
  let high = count
  // Most additions are of the newest document.
  if (count > 0 && (list[count - 1] ?? 0) >>> IMPACT_BITS < document) return count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) >>> IMPACT_BITS < document) low = middle + 1
    else high = middle
  }
  return low
}
