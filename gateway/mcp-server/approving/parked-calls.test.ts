import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { HELD_CALL_MS } from '../limits.ts'
import { createParkedCalls } from './parked-calls.ts'

const PENDING = { approval: 'apr_1', callId: 'call_1', tool: 'plugin:a:pay', title: 'Call pay of a', expiresMs: 9 }

/** One store throughout; each of what it gives is another process over it. */
function aPlace(ends: Readonly<Record<string, JsonObject>>) {
  const values = new Map<string, JsonValue>()
  const clock = { nowMs: 0 }
  const spaceOf = (tenant: string, session: string, key: string): string => JSON.stringify([tenant, session, key])
  const open = () =>
    createParkedCalls({
      store: {
        getValue: async (tenant, session, key) => values.get(spaceOf(tenant, session, key)),
        async setValue({ tenant, session, key, value }) {
          values.set(spaceOf(tenant, session, key), value)
          return { stored: true, usedBytes: 1 }
        },
      },
      getRun: async () => undefined,
      callEnd: async (tenant, id) => (tenant === 't' ? ends[id] : undefined),
      now: () => clock.nowMs,
    })
  return { open, values, clock }
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
