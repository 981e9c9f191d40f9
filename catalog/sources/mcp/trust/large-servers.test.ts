import { expect, test } from 'vitest'
import { createBackgroundWork } from '../../../background-work.ts'
import { aGate, aTool, poisoned } from '../fixtures/trust-gate.ts'

test('a tool of a large server can be called as soon as it is accepted', async () => {
  let nowMs = 0
  const work = createBackgroundWork({ nowMs: () => nowMs++ })
  const { gate, setTools, acceptAll, callable } = aGate({ work })
  const tools = Array.from({ length: 100 }, (_, at) => aTool({ name: `t${at}` }))
  setTools(tools)
  await gate.settled()
  setTools([...tools.slice(0, -1), aTool({ name: 't99', description: 'Reads two files.' })])
  await gate.settled()
  expect(callable()).not.toContain('t99')
  await acceptAll()
  expect(callable()).toContain('t99')
})

test('the many tools of a large server are withheld at once when screening comes to be enforced, or one of them changes', async () => {
  let nowMs = 0
  const work = createBackgroundWork({ nowMs: () => nowMs++ })
  const { gate, setTools, setRules, callable } = aGate({ screening: 'off', work })
  const tools = Array.from({ length: 100 }, (_, at) => aTool({ name: `t${at}` }))
  setTools(tools)
  await gate.settled()
  expect(callable()).toHaveLength(100)
  setTools([...tools.slice(0, -1), { ...poisoned, name: 't99' }])
  await expect.poll(() => gate.held().length).toBe(1)
  expect(callable()).not.toContain('t99')
  await gate.settled()
  expect(callable()).toHaveLength(99)
  setRules({ screening: 'enforce' })
  expect(callable()).toEqual([])
  await gate.settled()
  expect(callable()).toHaveLength(99)
})

test('the many tools of a large server are read and screened between other work, and enforced ones wait for it', async () => {
  let nowMs = 0
  const seen: number[] = []
  // Each look at the clock is a millisecond later: ten tools a slice.
  const work = createBackgroundWork({ nowMs: () => nowMs++, pause: async () => void seen.push(callable().length) })
  const { gate, setTools, callable } = aGate({ screening: 'enforce', work })
  const many = Array.from({ length: 400 }, (_, at) => aTool({ name: `t${at}`, description: `Reads file ${at}.` }))
  setTools([...many, poisoned])
  await gate.sink.taken('mcp', 'files')
  const waiting = callable().length
  expect(waiting).toBeLessThan(400)
  await gate.settled()
  expect(callable()).toHaveLength(400)
  expect(gate.held()).toMatchObject([{ tool: 'add', cause: 'screening' }])
  // To read them, to take those that wait, to screen them, to take them: some forty slices each but the first.
  expect(seen.length).toBeGreaterThan(100)
  expect(new Set(seen)).toEqual(new Set([0, waiting, 400]))
})

test('a list that comes while a long one is read takes its place', async () => {
  const { gate, setTools, callable } = aGate()
  setTools(Array.from({ length: 5_000 }, (_, at) => aTool({ name: `t${at}` })))
  setTools([aTool()])
  await gate.settled()
  expect(callable()).toEqual(['read'])
})
