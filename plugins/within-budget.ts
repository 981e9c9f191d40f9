/**
 * What `work` gives, or a rejection that says it took too long. The work itself cannot be stopped: it is a stranger's
 * promise, and whatever it gives later is dropped.
 */
export async function withinBudget<T>(work: () => T | Promise<T>, budgetMs: number): Promise<T> {
  const { promise: overrun, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it was not done within ${budgetMs} ms`)), budgetMs)
  try {
    return await Promise.race([Promise.resolve().then(work), overrun])
  } finally {
    clearTimeout(timer)
  }
}
