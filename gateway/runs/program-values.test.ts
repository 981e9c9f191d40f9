import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonValue } from '../../catalog/json.ts'
import type { Seal } from '../state/seal.ts'
import { openSeal } from '../state/seal.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { createValuesOf } from './program-values.ts'

let folder = ''
let store: Store
let seal: Seal

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-values-'))
  store = await openStore('sqlite:values.db', folder)
  seal = await openSeal(path.join(folder, 'seal.key'))
})

afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const valuesOf = (session?: string, tenant = 't', before: ReadonlyMap<string, JsonValue> = new Map()) =>
  createValuesOf({ store, seal })({ tenant, agent: 'default', ...(session !== undefined && { session }) }, before)

test('a value comes back as it was, to its session and tenant only', async () => {
  await valuesOf('a').set('k', { list: [1, 'é', null] })
  expect(await valuesOf('a').get('k')).toEqual({ list: [1, 'é', null] })
  expect(await valuesOf('b').get('k')).toBeUndefined()
  expect(await valuesOf('a', 'other').get('k')).toBeUndefined()
  expect(await valuesOf().get('k')).toBeUndefined()
})

test('what a run without a session had set before it was parked is there when it goes on', async () => {
  const before = new Map([['step', 2]])
  expect(await valuesOf(undefined, 't', before).get('step')).toBe(2)
  await valuesOf('c').set('step', 3)
  // Of a session the store knows: another run may have set it since.
  expect(await valuesOf('c', 't', before).get('step')).toBe(3)
})

test('a value lies sealed, so that the file tells nothing of it', async () => {
  await valuesOf('a').set('told', 'the secret is hunter2')
  const stored = JSON.stringify(await store.getValue('t', 'values:a', 'told'))
  expect(stored).not.toContain('hunter2')
  expect(stored).not.toContain(Buffer.from('the secret is').toString('base64'))
})

test('a sealed value that was put under another key does not open', async () => {
  await valuesOf('a').set('one', 1)
  const moved = await store.getValue('t', 'values:a', 'one')
  await store.setValue({ tenant: 't', session: 'values:a', key: 'two', value: moved ?? null }, 1_000_000)
  await expect(valuesOf('a').get('two')).rejects.toMatchObject({ code: 'seal-broken' })
})

test.each(['full', undefined])('a mebibyte fits, more is refused with what is used (session %s)', async (session) => {
  const values = valuesOf(session)
  expect(await values.set('big', 'x'.repeat(1_000_000))).toMatchObject({ stored: true })
  const refused = await values.set('more', 'x'.repeat(100_000))
  expect(refused.stored).toBe(false)
  expect(refused.usedBytes).toBeGreaterThanOrEqual(1_000_000)
  expect(refused.usedBytes).toBeLessThanOrEqual(1_048_576)
  expect(await values.get('more')).toBeUndefined()
})
