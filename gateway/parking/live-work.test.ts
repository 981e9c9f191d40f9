import { expect, test } from 'vitest'
import { createLiveWork } from './live-work.ts'

test('one piece of work is in one pair of hands at a time, and who leaves is told of once', async () => {
  const left: string[] = []
  const live = createLiveWork((tenant, id) => left.push(`${tenant}/${id}`))
  const leave = await live.enter('t', 'run_1')
  expect(live.tryEnter('t', 'run_1')).toBeUndefined()
  live.tryEnter('t', 'run_2')?.()
  live.tryEnter('other', 'run_1')?.()
  const order: number[] = []
  const waiting = [1, 2, 3].map(async (n) => {
    const own = await live.enter('t', 'run_1')
    order.push(n)
    expect(live.tryEnter('t', 'run_1')).toBeUndefined()
    own()
  })
  expect(order).toEqual([])
  leave()
  leave()
  await Promise.all(waiting)
  expect(order).toEqual([1, 2, 3])
  expect(left.filter((key) => key === 't/run_1')).toHaveLength(4)
})
