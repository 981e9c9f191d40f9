import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLogFile } from './log-file.ts'

test('lines are there at once, for the owner alone, behind those of before', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'x.log')
  for (const line of ['one\n', 'two\n']) openLogFile(file, 0o600, () => undefined).write(line)
  expect(await readFile(file, 'utf8')).toBe('one\ntwo\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test.skipIf(!canOpen('/dev/full'))('a full disk costs lines and is told once, and nothing is thrown', () => {
  const told: string[] = []
  const log = openLogFile('/dev/full', 0o600, (message) => told.push(message))
  for (const line of ['one\n', 'two\n', 'three\n']) log.write(line)
  expect(told).toEqual([expect.stringMatching(/^the log \/dev\/full cannot be written, .*ENOSPC/)])
})

/** A device of Linux that is always full. */
function canOpen(file: string): boolean {
  try {
    closeSync(openSync(file, 'a'))
    return true
  } catch {
    return false
  }
}
