import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('the first starts at once, the others one in each turn of the event loop', async () => {
  const turns = new Turns()
  const seen: string[] = []
  expect(turns.take('a')).toBeUndefined()
  const waiting = ['one', 'two', 'three'].map(async (name) => {
    await turns.take('a')
    seen.push(name)
  })
  const others = [1, 2, 3].map(
    (number) => new Promise<void>((resolve) => setTimeout(() => resolve(void seen.push(`other ${number}`)), 0)),
  )
  await Promise.resolve()
  expect(seen).toEqual([])
  await Promise.all([...waiting, ...others])
  const inOrder = seen.filter((name) => !name.startsWith('other'))
  expect(inOrder).toEqual(['one', 'two', 'three'])
})

test('no two start in one turn of the event loop, so that other work is done between them', async () => {
  const turns = new Turns()
  let loopTurn = 0
  let isCounting = true
  const count = (): void => {
    loopTurn += 1
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  void turns.take('a')
  const startedIn = await Promise.all(
    Array.from({ length: 10 }, async () => {
      await turns.take('a')
      return loopTurn
    }),
  )
  isCounting = false
  expect(new Set(startedIn).size).toBe(10)
})

test('tenants take turns, however many one of them asks for', async () => {
  const turns = new Turns()
  const seen: string[] = []
  void turns.take('a')
  const tenants = ['a', 'a', 'a', 'a', 'b']
  await Promise.all(tenants.map(async (tenant) => (await turns.take(tenant), seen.push(tenant))))
  expect(seen.slice(0, 2)).toContain('b')
})

test('it is free again when nothing waits', async () => {
  const turns = new Turns()
  void turns.take('a')
  expect(turns.take('a')).toBeInstanceOf(Promise)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(turns.take('a')).toBeUndefined()
})
