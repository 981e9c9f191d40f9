import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSeal } from './seal.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-seal-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('what was sealed opens with the key of the file, also by a later process', async () => {
  const file = path.join(folder, 'seal.key')
  const bytes = Buffer.from('a secret answer \u0000 é')
  const sealed = (await openSeal(file)).seal(bytes, 'run-1')
  expect(Buffer.from(sealed).includes('secret')).toBe(false)
  expect(Buffer.from((await openSeal(file)).open(sealed, 'run-1'))).toEqual(bytes)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('the same bytes sealed twice differ, and nothing at all can be sealed', async () => {
  const seal = await openSeal(path.join(folder, 'twice.key'))
  expect(seal.seal(Buffer.from('x'), 'p')).not.toEqual(seal.seal(Buffer.from('x'), 'p'))
  expect(seal.open(seal.seal(new Uint8Array(), 'p'), 'p')).toHaveLength(0)
})

test('it opens for no other purpose, not with another key, and not after any change', async () => {
  const seal = await openSeal(path.join(folder, 'mine.key'))
  const other = await openSeal(path.join(folder, 'other.key'))
  const sealed = seal.seal(Buffer.from('abc'), 'run-1')
  const broken = expect.objectContaining({ code: 'seal-broken' })
  expect(() => seal.open(sealed, 'run-2')).toThrow(broken)
  expect(() => other.open(sealed, 'run-1')).toThrow(broken)
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Uint8Array.from(sealed, (byte, at) => (at === index ? byte ^ 1 : byte))
    expect(() => seal.open(changed, 'run-1')).toThrow(broken)
  }
  for (const length of [0, 1, 28, sealed.length - 1]) {
    expect(() => seal.open(sealed.subarray(0, length), 'run-1')).toThrow(broken)
  }
})

test('a key that others may read, or that is cut short, is refused with the way out', async () => {
  const file = path.join(folder, 'open.key')
  await openSeal(file)
  await chmod(file, 0o644)
  await expect(openSeal(file)).rejects.toThrow(
    `seal key "${file}" cannot be used: others may read it; run: chmod 600 "${file}"`,
  )
  await chmod(file, 0o600)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.slice(0, 10))
  await expect(openSeal(file)).rejects.toMatchObject({ code: 'seal-key-unusable' })
  await expect(openSeal(path.join(folder, 'none', 'x.key'))).rejects.toMatchObject({ code: 'seal-key-unusable' })
})
