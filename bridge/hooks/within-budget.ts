import { startPatience } from '../../catalog/patience.ts'

export type BudgetResult<T = unknown> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }

/** What a stranger's function gives within its time, or why it gave nothing; it cannot hold who waits for it. */
export async function withinBudget<T>(
  run: (signal: AbortSignal) => T | PromiseLike<T>,
  budgetMs: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<BudgetResult<Awaited<T>>> {
  if (signal.aborted) return { kind: 'failed', error: signal.reason }
  // No `AbortSignal.timeout`: that leaves its timer behind for the whole of the budget, and most are done in a millisecond.
  const patience = startPatience({ ms: budgetMs, reason: () => new Error(`not done within ${budgetMs} ms`) }, signal)
  const bound = patience.signal
  const { promise: ended, resolve } = Promise.withResolvers<BudgetResult<Awaited<T>>>()
  const onAbort = (): void => resolve({ kind: 'failed', error: bound.reason })
  bound.addEventListener('abort', onAbort, { once: true })
  try {
    const handled = Promise.resolve<T>(run(bound)).then<BudgetResult<Awaited<T>>, BudgetResult<Awaited<T>>>(
      (value) => ({ kind: 'done', value }),
      (error: unknown) => ({ kind: 'failed', error }),
    )
    return await Promise.race([handled, ended])
  } catch (error) {
    return { kind: 'failed', error }
  } finally {
    bound.removeEventListener('abort', onAbort)
    patience.end()
  }
}
