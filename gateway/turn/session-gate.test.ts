import { expect, test } from 'vitest'
import { createSessionGate } from './session-gate.ts'

const never = new AbortController().signal

test('turns of one session run one after another in their order; other sessions do not wait', async () => {
  const gate = createSessionGate()
  const order: string[] = []
  const leaveFirst = await gate.enter('a', never)
  const pass = async (name: string) => {
    const leave = await gate.enter('a', never)
    order.push(name)
    leave()
  }
  const waiting = [pass('second'), pass('third')]
  const leaveOther = await gate.enter('b', never)
  order.push('other')
  leaveOther()
  order.push('first')
  leaveFirst()
  await Promise.all(waiting)
  expect(order).toEqual(['other', 'first', 'second', 'third'])
})

test('a turn that leaves the queue neither runs nor lets the next one in early', async () => {
  const gate = createSessionGate()
  const leaveFirst = await gate.enter('a', never)
  const gone = new AbortController()
  const second = gate.enter('a', gone.signal)
  let isIn = false
  const pass = async () => {
    const leave = await gate.enter('a', never)
    isIn = true
    leave()
  }
  const third = pass()
  gone.abort(new Error('the client left'))
  await expect(second).rejects.toThrow('the client left')
  await new Promise(setImmediate)
  expect(isIn).toBe(false)
  leaveFirst()
  await third
  expect(isIn).toBe(true)
})
