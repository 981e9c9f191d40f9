import { expect, test } from 'vitest'
import { createSessionSuccession } from './session-succession.ts'

const LONG_MS = 60_000
const first = { name: 'first' }
const second = { name: 'second' }
const { signal } = new AbortController()

test('before any session has stood there is none to wait for', async () => {
  expect(await createSessionSuccession().reopened(undefined, LONG_MS, signal)).toBeUndefined()
})

test('a session that is being opened again is waited for, until the attempt ends either way', async () => {
  const sessions = createSessionSuccession<typeof first>()
  sessions.stands(first)
  const asked = sessions.reopened(first, LONG_MS, signal)
  sessions.ended()
  const waiting = sessions.reopened(undefined, LONG_MS, signal)
  sessions.stands(second)
  expect([await asked, await waiting]).toEqual([second, second])
  expect(await sessions.reopened(first, LONG_MS, signal)).toBe(second)
  sessions.ended()
  const inVain = sessions.reopened(undefined, LONG_MS, signal)
  sessions.missed()
  expect(await inVain).toBeUndefined()
  expect(await sessions.reopened(undefined, LONG_MS, signal)).toBeUndefined()
})

test('the session after another is waited for through attempts that bring none', async () => {
  const sessions = createSessionSuccession<typeof first>()
  sessions.stands(first)
  const waiting = sessions.following(first, LONG_MS, signal)
  sessions.ended()
  sessions.missed()
  sessions.stands(second)
  expect(await waiting).toBe(second)
  expect(await sessions.following(first, LONG_MS, signal)).toBe(second)
})

test('nobody waits longer than he may, nor after he has left', async () => {
  const sessions = createSessionSuccession<typeof first>()
  sessions.stands(first)
  sessions.ended()
  expect(await sessions.reopened(undefined, 1, signal)).toBeUndefined()
  const stop = new AbortController()
  const left = sessions.following(first, LONG_MS, stop.signal)
  stop.abort(new Error('the caller left'))
  await expect(left).rejects.toThrow('the caller left')
})
