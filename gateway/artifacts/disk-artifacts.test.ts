import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DiskArtifacts } from './disk-artifacts.ts'
import { createDiskArtifacts } from './disk-artifacts.ts'

const caller = { tenant: 'acme', agent: 'default' }
let folder = ''
let artifacts: DiskArtifacts

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
      read += part !== undefined && 'text' in part ? part.text : ''
      expect(part?.bytes).toBe(bytes)
      offset = part?.nextOffset
    }
    expect(read).toBe(text)
  })

  test('that is no text comes in parts of Base64 with its type, and whole as bytes', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00, 0xc3])
    const { id, preview } = await artifacts.put(caller, { bytes, mimeType: 'image/png' })
    expect(preview).toBe('')
    const first = await artifacts.read(caller, id, { offset: 0, maxBytes: 3 })
    expect(first).toEqual({ base64: 'iVD/', mimeType: 'image/png', offset: 0, bytes: 5, nextOffset: 3 })
    const last = await artifacts.read(caller, id, { offset: 3, maxBytes: 3 })
    expect(last).toEqual({ base64: 'AMM=', mimeType: 'image/png', offset: 3, bytes: 5 })
    expect(await artifacts.open(caller, id)).toEqual({ bytes, mimeType: 'image/png' })
    expect(await artifacts.open({ ...caller, tenant: 'other' }, id)).toBeUndefined()
    expect(await artifacts.open(caller, `${id}.type`)).toBeUndefined()
  })

  test('is removed when its time is over, with its type, whoever it is of; a newer one stays', async () => {
    const own = await mkdtemp(path.join(tmpdir(), 'drawbridge-artifacts-'))
    const kept = createDiskArtifacts(own)
    const [old, other] = [
      await kept.put(caller, { bytes: Buffer.from('x'), mimeType: 'image/png' }),
      await kept.put({ ...caller, tenant: 'other' }, { text: 'y', mimeType: 'text/plain' }),
    ]
    const past = new Date(1_000)
    for (const entry of await readdir(own, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) await utimes(path.join(entry.parentPath, entry.name), past, past)
    }
    const { id } = await kept.put(caller, { text: 'new', mimeType: 'text/plain' })
    expect(await kept.expire(2_000)).toBe(3)
    expect(await kept.open(caller, old.id)).toBeUndefined()
    expect(await kept.open({ ...caller, tenant: 'other' }, other.id)).toBeUndefined()
    expect(await kept.open(caller, id)).toBeDefined()
    expect(await createDiskArtifacts(path.join(own, 'nowhere')).expire(2_000)).toBe(0)
    await rm(own, { recursive: true })
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
