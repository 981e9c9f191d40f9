import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createClosingJoin } from './closing-join.ts'

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason)
    else signal.addEventListener('abort', () => resolve(signal.reason), { once: true })
  })
}

test('work ends with its own signal or with the gateway, by the reason of that which came first', async () => {
  const closing = new AbortController()
  const withClosing = createClosingJoin(closing.signal)
  const own = new AbortController()
  const first = withClosing(own.signal, aborted)
  const second = withClosing(new AbortController().signal, aborted)
  own.abort('left')
  expect(await first).toBe('left')
  closing.abort('stops')
  expect(await second).toBe('stops')
  expect(await withClosing(new AbortController().signal, aborted)).toBe('stops')
  expect(await withClosing(own.signal, aborted)).toBe('left')
})

test('work that is over hears of neither any more, and leaves nothing behind', async () => {
  const [closing, own] = [new AbortController(), new AbortController()]
  const withClosing = createClosingJoin(closing.signal)
  const joined = await withClosing(own.signal, async (signal) => signal)
  await expect(withClosing(own.signal, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(getEventListeners(own.signal, 'abort')).toEqual([])
  expect(getEventListeners(closing.signal, 'abort')).toHaveLength(1)
  closing.abort()
  own.abort()
  expect(joined.aborted).toBe(false)
})
