import { startPatience } from '../../catalog/patience.ts'

export type BudgetResult =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }

/** What a stranger's function gives within its time, or why it gave nothing; it cannot hold who waits for it. */
export async function withinBudget(
  run: (signal: AbortSignal) => unknown,
  budgetMs: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<BudgetResult> {
  if (signal.aborted) return { kind: 'failed', error: signal.reason }
  // No `AbortSignal.timeout`: that leaves its timer behind for the whole of the budget, and most are done in a millisecond.
  const patience = startPatience({ ms: budgetMs, reason: () => new Error(`not done within ${budgetMs} ms`) }, signal)
  const bound = patience.signal
  const { promise: ended, resolve } = Promise.withResolvers<BudgetResult>()
  const onAbort = (): void => resolve({ kind: 'failed', error: bound.reason })
  bound.addEventListener('abort', onAbort, { once: true })
  try {
    const handled = Promise.resolve(run(bound)).then<BudgetResult, BudgetResult>(
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
