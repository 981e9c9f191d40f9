import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { HELD_CALL_MS, SHARED_LOOK_MS } from '../limits.ts'
import { createParkedCalls } from './parked-calls.ts'

const PENDING = { approval: 'apr_1', callId: 'call_1', tool: 'plugin:a:pay', title: 'Call pay of a', expiresMs: 9 }

/** One store throughout; each of what it gives is another process over it. */
function aPlace(ends: Readonly<Record<string, JsonObject>>, { isShared = true } = {}) {
  const values = new Map<string, JsonValue>()
  const [clock, place] = [{ nowMs: 0 }, { isShared }]
  const asked = { store: 0 }
  const spaceOf = (tenant: string, session: string, key: string): string => JSON.stringify([tenant, session, key])
  const open = () =>
    createParkedCalls({
      store: {
        get isShared() {
          return place.isShared
        },
        async getValue(tenant, session, key) {
          asked.store += 1
          return values.get(spaceOf(tenant, session, key))
        },
        async listValueSessions(start) {
          const places = [...values.keys()].map((place): string[] => JSON.parse(place))
          return places.flatMap(([tenant = '', session = '']) =>
            session.startsWith(start) ? [{ tenant, session }] : [],
          )
        },
        async setValue({ tenant, session, key, value }) {
          values.set(spaceOf(tenant, session, key), value)
          return { stored: true, usedBytes: 1 }
        },
      },
      getRun: async () => undefined,
      callEnd: async (tenant, id) => (tenant === 't' ? ends[id] : undefined),
      now: () => clock.nowMs,
    })
  return { open, values, clock, asked, place }
}

test('the same call is found by another process, with what it waits for, until its client has the end', async () => {
  const { open, values } = aPlace({ call_1: { callId: 'call_1', outcome: 'waiting', pending: [PENDING, 'odd', {}] } })
  await open().remember('t', '["pay",{"card":"s3cret"}]', { callId: 'call_1', waiting: [PENDING] })
  expect(await open().find('t', '["pay",{"card":"s3cret"}]')).toEqual({ callId: 'call_1', waiting: [PENDING] })
  expect(await open().find('t', '["pay",{"card":"other"}]')).toBeUndefined()
  expect(await open().find('other', '["pay",{"card":"s3cret"}]')).toBeUndefined()
  expect(JSON.stringify([...values])).not.toContain('s3cret')
  await open().forget('t', '["pay",{"card":"s3cret"}]')
  expect(await open().find('t', '["pay",{"card":"s3cret"}]')).toBeUndefined()
})

test('after a day, and where nothing is known of it any more, it is another call', async () => {
  const { open, clock } = aPlace({ call_1: { outcome: 'waiting' } })
  await open().remember('t', 'a', { callId: 'call_1', waiting: [] })
  await open().remember('t', 'b', { callId: 'call_2', waiting: [] })
  await open().remember('t', 'c', { runId: 'run_1', waiting: [] })
  expect([await open().find('t', 'b'), await open().find('t', 'c')]).toEqual([undefined, undefined])
  clock.nowMs = HELD_CALL_MS - 1
  expect(await open().find('t', 'a')).toBeDefined()
  clock.nowMs = HELD_CALL_MS
  expect(await open().find('t', 'a')).toBeUndefined()
})

test("a store that is this process's alone is not asked about calls of which none was parked, before a restart or since", async () => {
  const { open, asked } = aPlace({ call_1: { outcome: 'waiting' } }, { isShared: false })
  const first = open()
  expect(await first.find('t', 'a')).toBeUndefined()
  await first.remember('t', 'a', { callId: 'call_1', waiting: [] })
  expect(await first.find('t', 'b')).toBeUndefined()
  expect(await first.find('other', 'a')).toBeUndefined()
  expect(asked.store).toBe(0)
  expect(await first.find('t', 'a')).toBeDefined()
  const second = open()
  expect(await second.find('t', 'b')).toBeUndefined()
  expect(asked.store).toBe(1)
  expect(await second.find('t', 'a')).toBeDefined()
  await second.forget('t', 'a')
  expect(await second.find('t', 'a')).toBeUndefined()
})

test('in a store that others write to what one has parked is found by another that was asked for it before', async () => {
  const { open } = aPlace({ call_1: { outcome: 'waiting' } })
  const [first, second] = [open(), open()]
  expect(await second.find('t', 'a')).toBeUndefined()
  await first.remember('t', 'a', { callId: 'call_1', waiting: [] })
  expect(await second.find('t', 'a')).toBeDefined()
})

test('a store of its own that another begins to write to is asked from then on', async () => {
  const { open, place, clock } = aPlace({ call_1: { outcome: 'waiting' } }, { isShared: false })
  const [first, second] = [open(), open()]
  expect([await second.isEmpty(), await second.find('t', 'a')]).toEqual([true, undefined])
  place.isShared = true
  await first.remember('t', 'a', { callId: 'call_1', waiting: [] })
  clock.nowMs += SHARED_LOOK_MS
  expect(await second.isEmpty()).toBe(false)
  expect(await second.find('t', 'a')).toBeDefined()
})
