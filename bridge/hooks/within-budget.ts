export type BudgetResult =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }

/** What a stranger's function gives within its time, or why it gave nothing; it cannot hold who waits for it. */
export async function withinBudget(
  run: (signal: AbortSignal) => unknown,
  budgetMs: number,
  signal?: AbortSignal,
): Promise<BudgetResult> {
  if (signal?.aborted === true) return { kind: 'failed', error: signal.reason }
  const timeout = AbortSignal.timeout(budgetMs)
  const bound = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  const { promise: ended, resolve } = Promise.withResolvers<BudgetResult>()
  const onAbort = (): void => {
    const late = new Error(`not done within ${budgetMs} ms`)
    resolve({ kind: 'failed', error: signal?.aborted === true ? signal.reason : late })
  }
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
  }
}
