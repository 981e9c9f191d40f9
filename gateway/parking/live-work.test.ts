import { expect, test } from 'vitest'
import type { LiveWorkDeps } from './live-work.ts'
import { createLiveWork } from './live-work.ts'

function aLive(claims: Partial<LiveWorkDeps['claims']> = {}) {
  const left: string[] = []
  const dropped: string[] = []
  const live = createLiveWork({
    claims: {
      take: async () => true,
      drop: async (tenant, id) => void dropped.push(`${tenant}/${id}`),
      isElsewhere: async () => false,
      ...claims,
    },
    onLeft: (tenant, id) => left.push(`${tenant}/${id}`),
  })
  const tryAndLeave = async (tenant: string, id: string): Promise<string> => {
    const entered = await live.tryEnter(tenant, id)
    if (entered.kind === 'in') entered.leave()
    return entered.kind
  }
  return { live, left, dropped, tryAndLeave }
}

test('one piece of work is in one pair of hands at a time, and who leaves is told of once', async () => {
  const { live, left, dropped, tryAndLeave } = aLive()
  const leave = await live.enter('t', 'run_1')
  expect(await tryAndLeave('t', 'run_1')).toBe('here')
  expect([await tryAndLeave('t', 'run_2'), await tryAndLeave('other', 'run_1')]).toEqual(['in', 'in'])
  const order: number[] = []
  const waiting = [1, 2, 3].map(async (n) => {
    const own = await live.enter('t', 'run_1')
    order.push(n)
    expect(await tryAndLeave('t', 'run_1')).toBe('here')
    own()
  })
  expect(order).toEqual([])
  leave()
  leave()
  await Promise.all(waiting)
  expect(order).toEqual([1, 2, 3])
  expect(left.filter((key) => key === 't/run_1')).toHaveLength(4)
  expect(dropped).toEqual(left)
})

test('what another gateway is at is waited for, and nobody is told that it was left', async () => {
  let isTaken = true
  const { live, left, tryAndLeave } = aLive({ take: async () => !isTaken })
  expect(await tryAndLeave('t', 'run_1')).toBe('elsewhere')
  const entering = live.enter('t', 'run_1')
  isTaken = false
  const leave = await entering
  expect([live.isLive('t', 'run_1'), left]).toEqual([true, []])
  leave()
  expect([live.isLive('t', 'run_1'), left]).toEqual([false, ['t/run_1']])
})

test('where the store refuses, nobody is at it', async () => {
  const { live } = aLive({ take: () => Promise.reject(new Error('locked')) })
  await expect(live.enter('t', 'run_1')).rejects.toThrow('locked')
  expect(live.isLive('t', 'run_1')).toBe(false)
})
