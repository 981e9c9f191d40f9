import { isJsonObject } from '../json.ts'

/** Counts the checks of one validation; past its units it throws `WorkExceeded`, so that nothing can stall the process. */
export interface Work {
  readonly spend: (units: number) => void
  /** Keys of an object, 0 of anything else. */
  readonly countKeys: (value: unknown) => number
  /** Starts a validation that may cost this much. */
  readonly restart: (units: number) => void
}

/** Thrown out of a compiled check and caught by who started it. */
export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded'
}

export function createWork(): Work {
  let left = 0
  // Remembered, because counting keys again in each branch of a schema would cost what the count is there to bound.
  let counts = new WeakMap<object, number>()
  return {
    spend(units) {
      left -= units
      if (left < 0) throw new WorkExceeded('the value takes too much work to check')
    },
    countKeys(value) {
      if (!isJsonObject(value)) return 0
      const known = counts.get(value)
      if (known !== undefined) return known
      const count = Object.keys(value).length
      counts.set(value, count)
      return count
    },
    restart(units) {
      left = units
      counts = new WeakMap()
    },
  }
}
