import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ArtifactStore } from '../../bridge/artifacts.ts'
import { createDiskArtifacts } from './disk-artifacts.ts'

const caller = { tenant: 'acme', agent: 'default' }
let folder = ''
let artifacts: ArtifactStore

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-artifacts-'))
  artifacts = createDiskArtifacts(folder)
})
afterAll(() => rm(folder, { recursive: true }))

describe('an artifact', () => {
  test('is read in parts of whole characters that make up the text', async () => {
    const text = 'ä🙂€x'.repeat(500)
    const { id, bytes } = await artifacts.put(caller, { text, mimeType: 'text/plain' })
    let read = ''
    let offset: number | undefined = 0
    while (offset !== undefined) {
      const part = await artifacts.read(caller, id, { offset, maxBytes: 7 })
      read += part?.text
      expect(part?.bytes).toBe(bytes)
      offset = part?.nextOffset
    }
    expect(read).toBe(text)
  })

  test('of another tenant is not there', async () => {
    const { id } = await artifacts.put(caller, { text: 'secret', mimeType: 'text/plain' })
    expect(await artifacts.read({ ...caller, tenant: 'other' }, id, { offset: 0, maxBytes: 10 })).toBeUndefined()
  })

  test.each(['art_x', '../../lock.db', 'art_../../../../../../etc/passwd-0000000000000', ''])(
    '%j is not there',
    async (id) => {
      expect(await artifacts.read(caller, id, { offset: 0, maxBytes: 10 })).toBeUndefined()
    },
  )

  test('beyond its end there is nothing more', async () => {
    const { id } = await artifacts.put(caller, { text: 'abc', mimeType: 'text/plain' })
    expect(await artifacts.read(caller, id, { offset: 99, maxBytes: 10 })).toEqual({ text: '', offset: 99, bytes: 3 })
  })
})
