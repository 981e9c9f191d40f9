import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPatientSecrets } from './patient-secrets.ts'
import type { SecretSource } from './secret-source.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-secrets-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Notes that it ran, and prints a secret a while later. */
function slow(name: string): SecretSource {
  const script = `require('node:fs').appendFileSync('${name}', 'x'); setTimeout(() => console.log('s3cret'), 300)`
  return { kind: 'command', command: [process.execPath, '-e', script] }
}

const ofServer = ['mcp', 'servers', 'a', 'headers', 'authorization']

test('a command that one server needs is not waited for at first, and gives its secret later without being run again', async () => {
  const { early, whole } = createPatientSecrets(1)
  expect(await early(slow('server'), folder, ofServer)).toEqual({
    kind: 'failed',
    message: `secret command "${process.execPath}" has given nothing yet`,
  })
  expect(await whole(slow('server'), folder, ofServer)).toEqual({ kind: 'secret', text: 's3cret' })
  expect(await readFile(path.join(folder, 'server'), 'utf8')).toBe('x')
})

test('a command that the gateway itself needs is waited for', async () => {
  const { early } = createPatientSecrets(1)
  const found = await early(slow('model'), folder, ['models', 'providers', 'openai', 'apiKey'])
  expect(found).toEqual({ kind: 'secret', text: 's3cret' })
})
