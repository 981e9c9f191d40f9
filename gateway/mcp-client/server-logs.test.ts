import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SERVER_LOG_MAX_BYTES } from './limits.ts'
import { createServerLogs } from './server-logs.ts'

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-server-logs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('each server has a file of its own, for its owner alone, with no secret in it', async () => {
  const folder = await aFolder()
  const redact = (line: string): string => line.replaceAll('s3cret', '[secret]')
  const logs = createServerLogs({ folder, redact, warn: () => {}, now: () => 0 })
  logs.write('files', 'one')
  logs.write('mail', 'key s3cret')
  logs.write('files', 'two')
  await logs.close()
  logs.write('files', 'three')
  await logs.close()
  const at = '1970-01-01T00:00:00.000Z'
  const files = path.join(folder, 'mcp/files.log')
  expect(await readFile(files, 'utf8')).toBe(`${at} one\n${at} two\n${at} three\n`)
  expect(await readFile(path.join(folder, 'mcp/mail.log'), 'utf8')).toBe(`${at} key [secret]\n`)
  expect((await stat(files)).mode & 0o777).toBe(0o600)
})

test('a log that has grown large is set aside', async () => {
  const folder = await aFolder()
  const logs = createServerLogs({ folder, redact: (line) => line, warn: () => {}, now: () => 0 })
  logs.write('files', 'first')
  await logs.close()
  const file = path.join(folder, 'mcp/files.log')
  await writeFile(file, 'x'.repeat(SERVER_LOG_MAX_BYTES + 1))
  logs.write('files', 'second')
  await logs.close()
  expect(await readFile(file, 'utf8')).toMatch(/ second\n$/)
  expect((await stat(`${file}.1`)).size).toBe(SERVER_LOG_MAX_BYTES + 1)
})

test('a disk that cannot be written is told of once and holds nothing up', async () => {
  const folder = await aFolder()
  await writeFile(path.join(folder, 'mcp'), 'a file where the folder should be')
  const warnings: string[] = []
  const logs = createServerLogs({ folder, redact: (line) => line, warn: (text) => warnings.push(text), now: () => 0 })
  logs.write('files', 'one')
  await logs.close()
  logs.write('files', 'two')
  await logs.close()
  expect(warnings).toHaveLength(1)
})
