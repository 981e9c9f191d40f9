/** Counts the checks of one validation; past its units it throws `WorkExceeded`, so that nothing can stall the process. */
export interface Work {
  readonly spend: (units: number) => void
  /** Starts a validation that may cost this much. */
  restart(units: number): void
}

/** Thrown out of a compiled check and caught by who started it. */
export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded'
}

export function createWork(): Work {
  let left = 0
  return {
    spend(units) {
      left -= units
      if (left < 0) throw new WorkExceeded('the value takes too much work to check')
    },
    restart(units) {
      left = units
    },
  }
}
