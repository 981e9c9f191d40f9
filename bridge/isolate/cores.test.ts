import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Computing } from './cores.ts'
import { Cores } from './cores.ts'
import { COMPUTING_PER_CORE, CORE_HOLD_MS, CORE_WAITING_MS } from './limits.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const aWorker = (waitingMs = 0, state = 'running'): Computing => ({ state, waitingMs })

describe('cores', () => {
  test('are held until the worker is ready again', () => {
    const cores = new Cores(2, () => undefined)
    const first = aWorker()
    cores.hold(first)
    cores.hold(aWorker())
    expect(cores.free).toBe(0)
    cores.release(first)
    expect(cores.free).toBe(1)
  })

  test('are free where a program waits for its tools, or the worker is gone', () => {
    const cores = new Cores(2, () => undefined)
    cores.hold(aWorker(CORE_WAITING_MS + 0.1))
    cores.hold(aWorker(0, 'gone'))
    expect(cores.free).toBe(2)
  })

  test('are not kept by a program that computes for long', () => {
    const cores = new Cores(1, () => undefined)
    cores.hold(aWorker())
    vi.advanceTimersByTime(CORE_HOLD_MS - 1)
    expect(cores.free).toBe(0)
    vi.advanceTimersByTime(2)
    expect(cores.free).toBe(1)
  })

  test('are crowded where a few programs for each compute for long, and not where they wait', () => {
    const cores = new Cores(2, () => undefined)
    for (let n = 0; n < 2 * COMPUTING_PER_CORE - 1; n++) cores.hold(aWorker())
    const last = { state: 'running', waitingMs: 0 }
    cores.hold(last)
    vi.advanceTimersByTime(CORE_HOLD_MS + 1)
    expect([cores.free, cores.isCrowded]).toEqual([2, true])
    last.waitingMs = CORE_WAITING_MS + 1
    expect(cores.isCrowded).toBe(false)
    last.waitingMs = 0
    expect(cores.isCrowded).toBe(true)
  })

  test('are looked at again for those who wait, once however many they are', () => {
    let looks = 0
    const cores = new Cores(1, () => looks++)
    cores.wait()
    cores.wait()
    vi.advanceTimersByTime(CORE_HOLD_MS)
    expect(looks).toBe(1)
    cores.wait()
    cores.close()
    vi.advanceTimersByTime(CORE_HOLD_MS)
    expect(looks).toBe(1)
  })
})
