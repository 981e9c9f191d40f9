/**
 * For tests of how work grows: a clock that gives the processor time that this thread has spent since, in ms. Other work on
 * the machine adds nothing to it.
 */
export function startCpuClock(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}
