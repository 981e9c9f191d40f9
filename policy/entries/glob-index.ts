import { GRAM_CHARS } from '../limits.ts'

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
 * looked up: thousands of globs cost a text some forty look-ups, not thousands of comparisons.
 */
export function createGlobIndex(globs: readonly Glob[]): GlobIndex {
  const counts = countGrams(globs)
  const bySize = new Map<number, Map<number, Glob[]>>()
  for (const glob of globs) {
    const literal = longestLiteral(glob)
    const size = Math.min(GRAM_CHARS, literal.length)
    const grams = bySize.get(size) ?? new Map<number, Glob[]>()
    bySize.set(size, grams)
    const key = rarestGram(literal, size, counts)
    const bucket = grams.get(key)
    if (bucket === undefined) grams.set(key, [glob])
    else bucket.push(glob)
  }
  return {
    visitCandidates(text, visit) {
      for (const [size, grams] of bySize) {
        // A gram that stands in the text twice visits its globs twice, which costs less than remembering them.
        for (let at = 0; at + size <= text.length; at += 1) {
          const bucket = grams.get(gramAt(text, at, size))
          if (bucket !== undefined) for (const glob of bucket) visit(glob)
          // `*` alone has no piece: the empty one is met once.
          if (size === 0) break
        }
      }
    },
  }
}

function countGrams(globs: readonly Glob[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const glob of globs) {
    const literal = longestLiteral(glob)
    for (let at = 0; at + GRAM_CHARS <= literal.length; at += 1) {
      const gram = gramAt(literal, at, GRAM_CHARS)
      counts.set(gram, (counts.get(gram) ?? 0) + 1)
    }
  }
  return counts
}

function longestLiteral({ parts }: Glob): string {
  let longest = ''
  for (const part of parts) if (part.length > longest.length) longest = part
  return longest
}

function rarestGram(literal: string, size: number, counts: ReadonlyMap<number, number>): number {
  let rarest = gramAt(literal, 0, size)
  let least = counts.get(rarest) ?? 0
  for (let at = 1; at + size <= literal.length; at += 1) {
    const gram = gramAt(literal, at, size)
    const count = counts.get(gram) ?? 0
    if (count < least) [rarest, least] = [gram, count]
  }
  return rarest
}

/** Folded into 32 bits: two pieces that share a number only cost a glob that is tried in vain. */
function gramAt(text: string, at: number, size: number): number {
  let gram = 0
  for (let offset = 0; offset < size; offset += 1) gram = (gram << 8) ^ (gram >>> 24) ^ text.charCodeAt(at + offset)
  return gram | 0
}
