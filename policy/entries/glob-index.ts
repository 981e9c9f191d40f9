import { FILTER_POWER_MAX, FILTER_POWER_ROOM, GRAM_CHARS } from '../limits.ts'

/** A pattern with `*`, in lower case and split at it. */
export interface Glob {
  readonly parts: readonly string[]
  readonly position: number
}

export interface GlobIndex {
  /** Visits every glob that could match the text, and others; each has to be tried. */
  visitCandidates(text: string, visit: (glob: Glob) => void): void
}

/**
 * A glob can match only where its rarest piece of four characters occurs, so a text is cut into such pieces and each is
 * looked up: thousands of globs cost a text some forty look-ups, not thousands of comparisons. A text that has a piece
 * twice visits its globs twice, which costs less than remembering them.
 */
export function createGlobIndex(globs: readonly Glob[]): GlobIndex {
  const shelves = shelve(globs)
  const [everywhere] = shelves.filter(({ size }) => size === 0)
  const sized = shelves.filter(({ size }) => size > 0)
  return {
    visitCandidates(text, visit) {
      if (everywhere !== undefined) visitAll(everywhere, NO_GRAM, visit)
      for (const shelf of sized) {
        let gram = NO_GRAM
        for (let at = 0; at < text.length; at += 1) {
          gram = nextGram(gram, text.charCodeAt(at), shelf.mask)
          if (at + 1 >= shelf.size && shelf.filter.mayHave(gram)) visitAll(shelf, gram, visit)
        }
      }
    },
  }
}

/** Globs that are looked up by pieces of one size. */
interface Shelf {
  readonly size: number
  readonly mask: number
  readonly grams: Map<number, Glob[]>
  readonly filter: GramFilter
}

function shelve(globs: readonly Glob[]): readonly Shelf[] {
  const counts = countGrams(globs)
  const shelves = new Map<number, Shelf>()
  for (const glob of globs) {
    const literal = longestLiteral(glob)
    const size = Math.min(GRAM_CHARS, literal.length)
    const shelf = shelves.get(size) ?? {
      size,
      mask: maskOf(size),
      grams: new Map(),
      filter: createGramFilter(globs.length),
    }
    shelves.set(size, shelf)
    const gram = rarestGram(literal, size, counts)
    shelf.filter.add(gram)
    const bucket = shelf.grams.get(gram)
    if (bucket === undefined) shelf.grams.set(gram, [glob])
    else bucket.push(glob)
  }
  return [...shelves.values()]
}

function visitAll({ grams }: Shelf, gram: number, visit: (glob: Glob) => void): void {
  for (const glob of grams.get(gram) ?? NONE) visit(glob)
}

const NONE: readonly Glob[] = []

/** Before the first character; also the piece of `*` alone, which has none. */
const NO_GRAM = 0

/** The last characters as one number, a byte each: two pieces that share a number only cost a glob that is tried in vain. */
function nextGram(gram: number, code: number, mask: number): number {
  return ((gram << 8) | (code & 0xff)) & mask
}

function maskOf(size: number): number {
  return size === GRAM_CHARS ? -1 : (1 << (8 * size)) - 1
}

function countGrams(globs: readonly Glob[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const glob of globs) {
    const literal = longestLiteral(glob)
    if (literal.length < GRAM_CHARS) continue
    for (const gram of gramsOf(literal, GRAM_CHARS)) counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

function longestLiteral({ parts }: Glob): string {
  let longest = ''
  for (const part of parts) if (part.length > longest.length) longest = part
  return longest
}

function rarestGram(literal: string, size: number, counts: ReadonlyMap<number, number>): number {
  let rarest = NO_GRAM
  let least = Number.POSITIVE_INFINITY
  for (const gram of gramsOf(literal, size)) {
    const count = counts.get(gram) ?? 0
    if (count < least) [rarest, least] = [gram, count]
  }
  return rarest
}

function gramsOf(literal: string, size: number): readonly number[] {
  const grams: number[] = []
  const mask = maskOf(size)
  let gram = NO_GRAM
  for (let at = 0; at < literal.length; at += 1) {
    gram = nextGram(gram, literal.charCodeAt(at), mask)
    if (at + 1 >= size) grams.push(gram)
  }
  return grams
}

interface GramFilter {
  add(gram: number): void
  mayHave(gram: number): boolean
}

/** Bits that fit a processor's nearest cache: most pieces of a text are in no pattern, and need not be looked up. */
function createGramFilter(count: number): GramFilter {
  const power = Math.min(FILTER_POWER_MAX, FILTER_POWER_ROOM + Math.ceil(Math.log2(count + 1)))
  const bits = new Uint32Array(1 << (power - 5))
  const placeOf = (gram: number): number => Math.imul(gram, 0x9e3779b1) >>> (32 - power)
  return {
    add(gram) {
      const place = placeOf(gram)
      bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
    },
    mayHave(gram) {
      const place = placeOf(gram)
      return ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0
    },
  }
}
