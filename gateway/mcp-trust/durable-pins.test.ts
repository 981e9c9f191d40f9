import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setImmediate as betweenOthers, setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { ToolPin } from '../../catalog/sources/mcp/trust/pins/tool-pins.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { DurablePins } from './durable-pins.ts'
import { openDurablePins } from './durable-pins.ts'
import { PINS_PER_WRITE } from './limits.ts'

async function aStore(): Promise<Store> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-pins-'))
  const store = await openStore('sqlite:pins.db', folder)
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  return store
}

function openPins(store: Pick<Store, 'mcpPins'>, warn: (message: string) => void = () => {}): Promise<DurablePins> {
  const redact = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '***'))
  return openDurablePins({ store: store.mcpPins, redact, warn, writeMs: 0 })
}

function aPin(given: Partial<ToolPin> = {}): ToolPin {
  const content = { description: 'Reads.', inputSchema: { type: 'object' } }
  return { server: 'files', tool: 'read', hash: 'h1', content, pinnedMs: 1, ...given }
}

test('a pin of first sight counts at once and is there after a restart, without the secrets of its text', async () => {
  const store = await aStore()
  const before = await openPins(store)
  const secret = { description: 'password hunter2', inputSchema: {} }
  before.add([aPin(), aPin({ tool: 'write', content: secret })])
  expect(before.mark('files', 'read')).toEqual({ hash: 'h1' })
  await before.close()
  const after = await openPins(store)
  expect(after.mark('files', 'read')).toEqual({ hash: 'h1' })
  expect(after.count('files')).toBe(2)
  expect((await after.read('files', 'write'))?.content.description).toBe('password ***')
})

test('an acceptance is kept when it resolves, and an older pin that was on its way does not undo it', async () => {
  const store = await aStore()
  const pins = await openPins(store)
  pins.add([aPin()])
  await pins.replace([aPin({ hash: 'h2', acceptedBy: 'tok_1' })])
  await pins.close()
  expect(await store.mcpPins.get('files', 'read')).toMatchObject({ hash: 'h2', acceptedBy: 'tok_1' })
  expect((await openPins(store)).mark('files', 'read')).toEqual({ hash: 'h2', acceptedBy: 'tok_1' })
})

test('a pin whose writing falls due while an acceptance is written does not undo it', async () => {
  const store = await aStore()
  let begun = 0
  const mcpPins: Store['mcpPins'] = {
    ...store.mcpPins,
    async put(some) {
      begun += 1
      const isFirst = begun === 1
      await store.mcpPins.put(some)
      // As a database far away says so: later than the older pin falls due.
      if (isFirst) await pause(20)
    },
  }
  const pins = await openPins({ mcpPins })
  pins.add([aPin()])
  await pins.replace([aPin({ hash: 'h2', acceptedBy: 'tok_1' })])
  await pins.close()
  expect(await store.mcpPins.get('files', 'read')).toMatchObject({ hash: 'h2', acceptedBy: 'tok_1' })
})

test('a pin that cannot be written counts in this process, is told of, and is written when that can be done', async () => {
  const store = await aStore()
  const warned: string[] = []
  let isFull = true
  const mcpPins: Store['mcpPins'] = {
    ...store.mcpPins,
    put: (some) => (isFull ? Promise.reject(new Error('the disk is full')) : store.mcpPins.put(some)),
  }
  const pins = await openPins({ mcpPins }, (message) => void warned.push(message))
  pins.add([aPin()])
  await pins.close()
  expect(warned).toEqual(['1 pins of MCP tools were not kept: the disk is full'])
  expect(pins.mark('files', 'read')).toMatchObject({ hash: 'h1' })
  await expect(pins.replace([aPin({ hash: 'h2' })])).rejects.toThrow('the disk is full')
  expect(pins.mark('files', 'read')).toMatchObject({ hash: 'h1' })
  isFull = false
  await pins.close()
  expect(await store.mcpPins.get('files', 'read')).toMatchObject({ hash: 'h1' })
})

test('the pins of a large server are written between other work', async () => {
  const store = await aStore()
  const pins = await openPins(store)
  pins.add(Array.from({ length: PINS_PER_WRITE * 5 }, (_, at) => aPin({ tool: `t${at}` })))
  const written: number[] = []
  const done = new AbortController()
  const counting = (async () => {
    while (!done.signal.aborted) {
      await betweenOthers()
      written.push((await store.mcpPins.list()).length)
    }
  })()
  await pins.close()
  done.abort()
  await counting
  // Between two writes somebody else has looked.
  expect(new Set(written).size).toBeGreaterThan(3)
  expect(written.at(-1)).toBe(PINS_PER_WRITE * 5)
})
