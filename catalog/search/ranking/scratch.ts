/** Working memory of a search, kept between searches: allocating it anew would cost more than the search. */
export interface Scratch {
  readonly scores: Float32Array
  readonly best: Float32Array
  readonly bestStep: Uint8Array
  readonly step: Float32Array
  /** Documents with a score, in no order; the first `touchedCount` count. */
  readonly touched: Uint32Array
  readonly stepTouched: Uint32Array
}

/** Gives scratch arrays of at least that many documents, all zero; the user leaves them all zero. */
export type ScratchFor = (documents: number) => Scratch

export function createScratchFor(): ScratchFor {
  let scratch = scratchOf(0)
  return (documents) => {
    if (scratch.scores.length < documents) scratch = scratchOf(Math.ceil(documents * 1.25))
    return scratch
  }
}

function scratchOf(documents: number): Scratch {
  return {
    scores: new Float32Array(documents),
    best: new Float32Array(documents),
    bestStep: new Uint8Array(documents),
    step: new Float32Array(documents),
    touched: new Uint32Array(documents),
    stepTouched: new Uint32Array(documents),
  }
}
