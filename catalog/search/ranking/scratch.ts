import { QUERY_MAX_TERMS } from '../limits.ts'

/** Working memory of a search, kept between searches: allocating it anew would cost more than the search. */
export interface Scratch {
  /** By document: the sum over all steps of the query, what the best step gave, and which that was. */
  readonly scores: Float32Array
  readonly best: Float32Array
  readonly bestStep: Uint8Array
  /** By document: of the step that is being scored. */
  readonly step: Float32Array
  /** Documents with a score, of all steps and of this one, in no order; how many count is known to who fills them. */
  readonly touched: Uint32Array
  readonly stepTouched: Uint32Array
  /** By document: what the word being scored has added, valid where its stamp is the word's. */
  readonly wordScores: Float32Array
  readonly wordStamps: Uint32Array
  /** A stamp that no document carries. */
  nextStamp(): number
  /** By term number: which word of the query it belongs to. */
  readonly marks: Int16Array
  /** By word of the query. */
  readonly seen: Uint8Array
}

/** Gives scratch arrays for at least that many documents and terms, all zero; the user leaves them all zero. */
export type ScratchFor = (documents: number, terms: number) => Scratch

export function createScratchFor(): ScratchFor {
  let scratch = scratchOf(0, 0)
  return (documents, terms) => {
    if (scratch.scores.length < documents || scratch.marks.length < terms) {
      scratch = scratchOf(Math.ceil(documents * 1.25), Math.ceil(terms * 1.25))
    }
    return scratch
  }
}

function scratchOf(documents: number, terms: number): Scratch {
  const wordStamps = new Uint32Array(documents)
  let stamp = 0
  return {
    scores: new Float32Array(documents),
    best: new Float32Array(documents),
    bestStep: new Uint8Array(documents),
    step: new Float32Array(documents),
    touched: new Uint32Array(documents),
    stepTouched: new Uint32Array(documents),
    wordScores: new Float32Array(documents),
    wordStamps,
    nextStamp() {
      if (stamp === STAMP_MAX) {
        wordStamps.fill(0)
        stamp = 0
      }
      stamp += 1
      return stamp
    },
    marks: new Int16Array(terms),
    seen: new Uint8Array(QUERY_MAX_TERMS * 2),
  }
}

const STAMP_MAX = 2 ** 32 - 1
