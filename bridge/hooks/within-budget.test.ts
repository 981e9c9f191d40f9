import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { withinBudget } from './within-budget.ts'

function timersAlive(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
}

test('leaves neither a timer nor a listener of a handler that is done', async () => {
  const { signal } = new AbortController()
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const timeoutSignal = vi.spyOn(AbortSignal, 'timeout')
  const before = timersAlive()
  try {
    expect(await withinBudget(() => 'said', 15_000, signal)).toEqual({ kind: 'done', value: 'said' })
    const fail = (): never => {
      throw new Error('broken')
    }
    expect(await withinBudget(fail, 15_000, signal)).toMatchObject({ error: { message: 'broken' } })
    expect(setTimer).toHaveBeenCalledTimes(2)
    expect(timeoutSignal).not.toHaveBeenCalled()
    expect(timersAlive()).toBe(before)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  } finally {
    vi.restoreAllMocks()
  }
})

test('says that the time is over, and tells the handler', async () => {
  let told: unknown
  const late = (signal: AbortSignal): Promise<never> => {
    signal.addEventListener('abort', () => (told = signal.reason))
    return Promise.withResolvers<never>().promise
  }
  const result = await withinBudget(late, 5)
  expect(result).toMatchObject({ kind: 'failed', error: { message: 'not done within 5 ms' } })
  expect(told).toMatchObject({ message: 'not done within 5 ms' })
})

test('gives the reason of whoever gives up waiting, before the handler runs or while it does', async () => {
  const leaving = new AbortController()
  const run = vi.fn<() => Promise<never>>(() => Promise.withResolvers<never>().promise)
  const waiting = withinBudget(run, 15_000, leaving.signal)
  const reason = new Error('left')
  leaving.abort(reason)
  expect(await waiting).toEqual({ kind: 'failed', error: reason })
  expect(await withinBudget(run, 15_000, leaving.signal)).toEqual({ kind: 'failed', error: reason })
  expect(run).toHaveBeenCalledOnce()
})
