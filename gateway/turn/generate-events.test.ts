import { describe, expect, test } from 'vitest'
import { generateEvents } from './generate-events.ts'

const never = new AbortController().signal

describe('events that are emitted', () => {
  test('side by side all arrive, in the order in which they were emitted', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    const events = await drain<number>(async (emit) => {
      await Promise.all(numbers.map((number) => emit(number)))
      await emit(20)
    })
    expect(events).toEqual([...numbers, 20])
  })

  test('wait for the consumer', async () => {
    const steps: string[] = []
    const generator = generateEvents<string>(async (emit) => {
      await emit('a')
      steps.push('a was taken')
      await emit('b')
    }, never)
    expect((await generator.next()).value).toBe('a')
    await new Promise(setImmediate)
    expect(steps).toEqual([])
    expect((await generator.next()).value).toBe('b')
    expect(steps).toEqual(['a was taken'])
    expect((await generator.next()).done).toBe(true)
  })

  test('before a throw still arrive, and then the generator throws it', async () => {
    const events: string[] = []
    const failing = async () => {
      for await (const event of generateEvents<string>(async (emit) => {
        await emit('a')
        throw new TypeError('a defect')
      }, never)) {
        events.push(event)
      }
    }
    await expect(failing()).rejects.toThrow('a defect')
    expect(events).toEqual(['a'])
  })
})

test('a consumer that stops aborts the producer and waits until it has ended', async () => {
  const steps: string[] = []
  const generator = generateEvents<string>(async (emit, signal) => {
    await emit('a')
    steps.push(`aborted: ${signal.aborted}`)
    await emit('nobody takes this')
    await new Promise(setImmediate)
    steps.push('ended')
  }, never)
  await generator.next()
  await generator.return()
  expect(steps).toEqual(['aborted: true', 'ended'])
})

async function drain<E>(produce: (emit: (event: E) => Promise<void>) => Promise<void>): Promise<readonly E[]> {
  const events: E[] = []
  for await (const event of generateEvents<E>(produce, never)) events.push(event)
  return events
}
