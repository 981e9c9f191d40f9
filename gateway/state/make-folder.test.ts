import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './make-folder.ts'
import { openStateDirectory } from './state-dir.ts'

test('a folder is made with those above it, for its owner alone, and may be there already', async () => {
  const home = await aHome()
  const folder = path.join(home, 'a', 'b', 'c')
  await Promise.all([makeFolder(folder), makeFolder(folder), makeFolder(path.join(home, 'a', 'x'))])
  await makeFolder(folder)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('a file in the way is an error', async () => {
  const home = await aHome()
  await writeFile(path.join(home, 'file'), '')
  await expect(makeFolder(path.join(home, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(path.join(home, 'file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.runIf(process.platform === 'linux')('where nothing can be made, it is said at once', async () => {
  for (const folder of ['/proc/drawbridge', '/proc/drawbridge/state']) {
    await expect(openStateDirectory(folder, { pid: 1, nowMs: 1 })).rejects.toMatchObject({
      code: 'state-directory-unusable',
      message: expect.stringContaining(`state directory "${folder}" cannot be used: ENOENT`),
    })
  }
})

async function aHome(): Promise<string> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-folder-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}
