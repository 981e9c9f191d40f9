import { expect, test } from 'vitest'
import type { SourceStatus } from '../../catalog/source.ts'
import { SOURCES_START_MS } from './limits.ts'
import { createSourcesReady } from './sources-ready.ts'

const CONNECTING: SourceStatus = {
  source: 'mcp',
  owner: 'files',
  toolCount: 0,
  state: { kind: 'connecting', sinceMs: 0 },
}

test('a server that connects for ever is waited for as long as a start may take, and then no more', async () => {
  let elapsedMs = 0
  let looks = 0
  const ready = createSourcesReady({
    pluginsSettled: async () => {},
    statuses() {
      looks += 1
      if (looks === 2) elapsedMs = SOURCES_START_MS
      return [CONNECTING]
    },
    closing: new AbortController().signal,
    elapsedMs: () => elapsedMs,
  })
  await ready()
  await ready()
  expect(looks).toBe(2)
})
