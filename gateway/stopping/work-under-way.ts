/** What is being done for somebody, so that a stop can wait until each has told how it ended. */
export interface WorkUnderWay {
  /** Gives the work back as it is. */
  readonly track: <T>(work: Promise<T>) => Promise<T>
  /** Resolves when nothing is under way, or when the time is over; never rejects. */
  readonly settled: (withinMs: number) => Promise<void>
}

export function createWorkUnderWay(): WorkUnderWay {
  const underWay = new Set<Promise<unknown>>()
  const drained = async (): Promise<void> => {
    // The end of one may begin another: a turn that ends sends its answer.
    while (underWay.size > 0) await Promise.allSettled(underWay)
  }
  return {
    track(work) {
      const end = (): void => void underWay.delete(tracked)
      // Whoever asked for it hears of its failure.
      const tracked: Promise<void> = work.then(end, end)
      underWay.add(tracked)
      return work
    },
    async settled(withinMs) {
      let timer: NodeJS.Timeout | undefined
      const over = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, withinMs)
      })
      await Promise.race([drained(), over])
      clearTimeout(timer)
    },
  }
}
