/** Runs what it is given one after the other, in the order of asking; each ends as it ends alone. */
export type OneByOne = <T>(run: () => Promise<T>) => Promise<T>

/** For what reads, decides and then writes: of two at once neither would see what the other writes. */
export function createOneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const next = last.then(run)
    last = next.catch(() => undefined)
    return next
  }
}
