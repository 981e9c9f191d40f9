import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Seal } from '../../state/seal.ts'
import { openSeal } from '../../state/seal.ts'
import { createSessionIds } from './session-ids.ts'

let folder = ''
let seal: Seal
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-ids-'))
  seal = await openSeal(path.join(folder, 'seal.key'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const start = {
  tokenId: 'tok_1',
  agent: 'default',
  readsStreams: true,
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: { form: {} }, sampling: {}, experimental: { much: 'x'.repeat(9_000) } },
    clientInfo: { name: 'n'.repeat(900), version: '1', icons: [{ src: 'x'.repeat(9_000) }] },
  },
}

test('a later process reads from an id what its session began with, as far as anything goes by it', () => {
  const id = createSessionIds(seal).mint(start)
  expect(id).toMatch(/^mcp_[\w-]{1,700}$/)
  expect(createSessionIds(seal).startOf(id)).toEqual({
    ...start,
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { elicitation: { form: {} }, sampling: {} },
      clientInfo: { name: 'n'.repeat(60), version: '1' },
    },
  })
})

test('to the process that made it, the id of a session that is not there is of one that has ended', () => {
  const ids = createSessionIds(seal)
  expect(ids.startOf(ids.mint(start))).toBeUndefined()
})

test('an id that is changed, of another state directory, or made up begins nothing', async () => {
  const id = createSessionIds(seal).mint(start)
  const other = await openSeal(path.join(folder, 'other.key'))
  const changed = `${id.slice(0, -2)}${id.endsWith('AA') ? 'BB' : 'AA'}`
  for (const wrong of [changed, id.slice(4), '', 'mcp_', 'mcp_0d9a2c4e-0000-4000-8000-000000000000', 'mcp_💥'])
    expect(createSessionIds(seal).startOf(wrong)).toBeUndefined()
  expect(createSessionIds(other).startOf(id)).toBeUndefined()
})

test('an id is written in one way', () => {
  const id = createSessionIds(seal).mint(start)
  const ids = createSessionIds(seal)
  const standard = `mcp_!${id.slice(4).replaceAll('-', '+').replaceAll('_', '/')}`
  for (const other of [`${id}=`, `${id}!`, id.replace('mcp_', 'mcp_.'), standard])
    expect(ids.startOf(other)).toBeUndefined()
  expect(ids.startOf(id)).toBeDefined()
})

test('its length does not go by the letters of a client', () => {
  const word = '\u0001\ud800"漢\\'.repeat(60)
  const initialize = { ...start.initialize, protocolVersion: word, clientInfo: { name: word, version: word } }
  expect(createSessionIds(seal).mint({ ...start, initialize })).toMatch(/^mcp_[\w-]{1,700}$/)
})

test('what was opened again is of this process from then on', () => {
  const id = createSessionIds(seal).mint(start)
  const ids = createSessionIds(seal)
  ids.openedAgain(id)
  expect(ids.startOf(id)).toBeUndefined()
})
