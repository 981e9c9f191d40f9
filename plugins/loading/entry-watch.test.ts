import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EntryWatch } from './entry-watch.ts'
import { watchEntries } from './entry-watch.ts'

const INTERVAL_MS = 20

let folder = ''
let watch: EntryWatch | undefined

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-entries-'))
})

afterEach(async () => {
  watch?.close()
  await rm(folder, { recursive: true, force: true })
})

test('a file that is written, comes or goes is told of, and one that stays is not', async () => {
  await write('a.mjs', 'export default 1')
  const { changes, settle } = follow([folder])
  await settle()
  expect(changes()).toBe(0)
  await write('a.mjs', 'export default 22')
  await expect.poll(changes).toBe(1)
  await write('b.mjs', 'export default 3')
  await expect.poll(changes).toBe(2)
  await rm(path.join(folder, 'a.mjs'))
  await expect.poll(changes).toBe(3)
  await settle()
  expect(changes()).toBe(3)
})

test('what new settings name is no change until it is written again', async () => {
  await write('a.mjs', 'export default 1')
  await write('b.mjs', 'export default 3')
  const paths = [path.join(folder, 'a.mjs')]
  const { changes, settle } = follow(paths)
  await settle()
  paths.push(path.join(folder, 'b.mjs'), path.join(folder, 'later'))
  await watch?.renew()
  await settle()
  expect(changes()).toBe(0)
  await write('b.mjs', 'export default 44')
  await expect.poll(changes).toBe(1)
  await mkdir(path.join(folder, 'later'))
  await write('later/c.mjs', 'export default 5')
  await expect.poll(changes).toBeGreaterThan(1)
})

test('several edits right after each other are told of once', async () => {
  await write('a.mjs', 'export default 1')
  const { changes, settle } = follow([folder])
  await settle()
  for (const text of ['22', '333', '4444']) {
    await write('a.mjs', `export default ${text}`)
    await write('b.mjs', `export default ${text}`)
  }
  await expect.poll(changes).toBe(1)
  await settle()
  expect(changes()).toBe(1)
})

test('what a file imports is told of when it is written, once, and not when it is loaded again', async () => {
  await write('a.mjs', 'export default 1')
  let imports = ''
  const { changes, settle } = follow([folder], () => imports)
  await settle()
  imports = 'words.mjs at 2'
  await expect.poll(changes).toBe(1)
  await settle()
  imports = ''
  await settle()
  expect(changes()).toBe(1)
  imports = 'words.mjs at 3'
  await expect.poll(changes).toBe(2)
})

test('of renewals that overlap the last one says what is loaded, whichever ends last', async () => {
  const asked: ((stamps: string) => void)[] = []
  let changes = 0
  watch = watchEntries({
    // None: looking for files takes a time of its own, and each is to ask in its turn.
    paths: () => [],
    onChange: () => void (changes += 1),
    changedImports: async () => '',
    intervalMs: INTERVAL_MS,
    stampsOf: () => new Promise((resolve) => void asked.push(resolve)),
  })
  const renewed = watch.renew()
  await expect.poll(() => asked.length).toBe(3)
  const [first, second, look] = asked
  second?.('new')
  await renewed
  first?.('old')
  look?.('new')
  for (let looks = 4; looks < 8; looks += 1) {
    await expect.poll(() => asked.length).toBe(looks)
    asked[looks - 1]?.('new')
  }
  expect(changes).toBe(0)
})

function follow(paths: readonly string[], imports: () => string = () => '') {
  let count = 0
  let looks = 0
  watch = watchEntries({
    paths: () => {
      looks += 1
      return paths
    },
    onChange: () => void (count += 1),
    changedImports: async () => imports(),
    intervalMs: INTERVAL_MS,
  })
  return {
    changes: () => count,
    /** Until it has looked a few more times. */
    settle: async () => {
      const before = looks
      await expect.poll(() => looks).toBeGreaterThan(before + 3)
    },
  }
}

async function write(name: string, text: string): Promise<void> {
  await writeFile(path.join(folder, name), text)
}
