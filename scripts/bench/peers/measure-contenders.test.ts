import { expect, test } from 'vitest'
import type { Contender } from './contender.ts'
import { measureContenders } from './measure-contenders.ts'

const PLAN = { program: 'return-1', ms: 400, warmupRuns: 2 } as const

/** A clock that moves only when a contender runs. */
function aClock(): { readonly now: () => number; readonly pass: (ms: number) => void } {
  let nowMs = 0
  return { now: () => nowMs, pass: (ms) => void (nowMs += ms) }
}

function aContender(engine: string, execute: Contender['execute']): Contender {
  return { engine, version: '1', tool: 'mcp-http', programs: { 'return-1': 'return 1' }, execute }
}

test('contenders take turns of equal time, and only runs after the warm-up count', async () => {
  const clock = aClock()
  const order: string[] = []
  const taking = (engine: string, ms: number): Contender =>
    aContender(engine, async () => {
      order.push(engine)
      clock.pass(ms)
      return 1
    })
  const measured = await measureContenders([taking('fast', 10), taking('slow', 20)], PLAN, clock.now)
  expect(measured).toMatchObject([
    { kind: 'times', contender: { engine: 'fast' }, timesMs: Array.from({ length: 40 }, () => 10) },
    { kind: 'times', contender: { engine: 'slow' }, timesMs: Array.from({ length: 20 }, () => 20) },
  ])
  const blocks = order.filter((engine, at) => engine !== order[at - 1])
  expect(blocks).toEqual(Array.from({ length: 11 }, () => ['fast', 'slow']).flat())
})

test('a contender slower than its turn still runs often enough for a median', async () => {
  const clock = aClock()
  const slow = aContender('slow', async () => {
    clock.pass(1_000)
    return 1
  })
  const [measured] = await measureContenders([slow], PLAN, clock.now)
  expect(measured).toMatchObject({ kind: 'times', timesMs: { length: 20 } })
})

test('a contender that gives another value is out, and the others go on', async () => {
  const clock = aClock()
  let runs = 0
  const wrong = aContender('wrong', async () => {
    runs += 1
    clock.pass(50)
    return runs <= 4 ? 1 : 2
  })
  const right = aContender('right', async () => {
    clock.pass(50)
    return 1
  })
  const measured = await measureContenders([wrong, right], PLAN, clock.now)
  expect(measured[0]).toMatchObject({ kind: 'failed', error: { message: '"return-1" gave 2, not 1' } })
  expect(measured[1]).toMatchObject({ kind: 'times', timesMs: { length: 20 } })
  expect(runs).toBe(5)
})

test('a contender without the program is not asked', async () => {
  const none: Contender = { ...aContender('none', () => Promise.reject(new Error('asked'))), programs: {} }
  expect(await measureContenders([none], PLAN, aClock().now)).toEqual([])
})
