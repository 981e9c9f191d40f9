export interface Measured {
  readonly latenciesMs: readonly number[]
  readonly elapsedMs: number
}

/** Makes so many, so many at a time; `make` gives the latency of one, and throws where it did not end as it should. */
export async function measureEach(count: number, inFlight: number, make: () => Promise<number>): Promise<Measured> {
  const latenciesMs: number[] = []
  let started = 0
  const work = async (): Promise<void> => {
    while (started < count) {
      started += 1
      latenciesMs.push(await make())
    }
  }
  const startMs = performance.now()
  await Promise.all(Array.from({ length: inFlight }, work))
  return { latenciesMs, elapsedMs: performance.now() - startMs }
}
