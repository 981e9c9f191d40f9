import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { STOP_ECHO_MS } from './limits.ts'
import { listenForStop } from './stop-signal.ts'

function signals() {
  const source = new EventEmitter()
  let nowMs = 0
  const stop = listenForStop({ on: (name, listener) => source.on(name, listener), nowMs: () => nowMs })
  return {
    stop,
    send: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', atMs: number) => {
      nowMs = atMs
      return source.emit(signal)
    },
  }
}

async function hasResolved(promise: Promise<void>): Promise<boolean> {
  return await Promise.race([promise.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))])
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s asks to stop', async (signal) => {
  const { stop, send } = signals()
  expect(await hasResolved(stop.asked)).toBe(false)
  send(signal, 0)
  expect(await hasResolved(stop.asked)).toBe(true)
  expect(await hasResolved(stop.insisted)).toBe(false)
})

test('a signal that comes twice, passed on by a launcher, is one; both are listened to', async () => {
  const { stop, send } = signals()
  expect([send('SIGINT', 0), send('SIGINT', 1), send('SIGTERM', STOP_ECHO_MS)]).toEqual([true, true, true])
  expect(await hasResolved(stop.insisted)).toBe(false)
})

test('a second one later insists', async () => {
  const { stop, send } = signals()
  send('SIGINT', 0)
  send('SIGINT', STOP_ECHO_MS + 1)
  expect(await hasResolved(stop.insisted)).toBe(true)
})
