import { setImmediate as betweenOthers } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ServerRecord } from '../../catalog/sources/mcp/connection/knowledge/server-memory.ts'
import type { McpServerStore } from '../store/mcp-server-store.ts'
import { openDurableMemory } from './durable-memory.ts'
import { REMEMBERED_MAX_LENGTH } from './limits.ts'

function aStore(fails = false) {
  const rows = new Map<string, ServerRecord>()
  let writes = 0
  const store: McpServerStore = {
    list: async () => [...rows].map(([server, record]) => ({ server, record })),
    put: async ({ server, record }) => {
      writes += 1
      if (fails) throw new Error('the disk is full')
      rows.set(server, record)
    },
    remove: async (server) => void rows.delete(server),
  }
  return { store, rows, writes: () => writes }
}

const keep = <Value>(value: Value): Value => value
const warn = (): void => {}

const aTool = { name: 'echo', description: 'says it again', inputSchema: { type: 'object' } }

function aRecord(description = aTool.description): ServerRecord {
  const definitions = [{ ...aTool, description }]
  return { identity: 'one', list: { definitions, hiddenCount: 0, problems: [], problemCount: 0 } }
}

test('what was known is known after a restart, and what was removed is not', async () => {
  const { store } = aStore()
  const first = await openDurableMemory({ store, redact: keep, warn })
  first.write('files', aRecord())
  first.write('gone', aRecord())
  first.write('gone', undefined)
  await first.close()
  const second = await openDurableMemory({ store, redact: keep, warn })
  expect(second.read('files')).toEqual(aRecord())
  expect(second.read('gone')).toBeUndefined()
})

test('a burst of changes is one write, and what is as it was is none', async () => {
  const { store, writes } = aStore()
  const memory = await openDurableMemory({ store, redact: keep, warn })
  for (const text of ['a', 'b', 'c']) memory.write('files', aRecord(text))
  await memory.close()
  memory.write('files', { identity: 'one' })
  memory.write('files', aRecord('c'))
  await memory.close()
  expect(writes()).toBe(1)
})

test('what changes all the time is written now and then', async () => {
  const { store, writes } = aStore()
  const waits = { writeMs: 1, spacingMs: 60_000 }
  const memory = await openDurableMemory({ store, redact: keep, warn, waits })
  memory.write('files', aRecord('0'))
  await expect.poll(writes).toBe(1)
  for (let change = 1; change <= 20; change += 1) {
    memory.write('files', aRecord(String(change)))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  expect(writes()).toBe(1)
  await memory.close()
  expect(writes()).toBe(2)
})

test('secrets are not kept, nor are lists so long that each start would pay for them', async () => {
  const { store, rows } = aStore()
  const redact = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll('s3cret', '[secret]'))
  const memory = await openDurableMemory({ store, redact, warn })
  memory.write('files', aRecord('with key s3cret'))
  memory.write('large', aRecord('x'.repeat(REMEMBERED_MAX_LENGTH)))
  await memory.close()
  expect(JSON.stringify(rows.get('files'))).toContain('with key [secret]')
  expect(rows.get('large')).toEqual({ identity: 'one' })
})

test('the tools of a large server are redacted between other work, and all of them are kept', async () => {
  const { store, rows } = aStore()
  const memory = await openDurableMemory({ store, redact: keep, warn })
  const definitions = Array.from({ length: 1_000 }, (_, at) => ({ ...aTool, name: `t${at}` }))
  memory.write('large', { identity: 'one', list: { definitions, hiddenCount: 3, problems: ['p'], problemCount: 1 } })
  let turns = 0
  const done = new AbortController()
  const counting = (async () => {
    while (!done.signal.aborted) {
      await betweenOthers()
      turns += 1
    }
  })()
  await memory.close()
  done.abort()
  await counting
  expect(turns).toBeGreaterThan(8)
  expect(rows.get('large')).toEqual(memory.read('large'))
})

test('a store that cannot be written is told of and stops nothing', async () => {
  const { store } = aStore(true)
  const warnings: string[] = []
  const memory = await openDurableMemory({ store, redact: keep, warn: (message) => warnings.push(message) })
  memory.write('files', aRecord())
  await memory.close()
  expect(warnings).toEqual(['what is known of MCP server "files" was not kept: the disk is full'])
  expect(memory.read('files')).toEqual(aRecord())
})
