import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerLogin } from '../../catalog/sources/mcp/login/server-login.ts'
import { openSeal } from '../state/seal.ts'
import { createLoginVault } from './login-vault.ts'

async function aVault() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-logins-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const open = async () => createLoginVault(folder, await openSeal(path.join(folder, 'seal.key')))
  return { folder: path.join(folder, 'mcp-logins'), open, vault: await open() }
}

function aLogin(accessToken: string): ServerLogin {
  return {
    id: 'login-1',
    serverUrl: 'https://calendar.example.com/mcp',
    issuer: 'https://login.example.com',
    tokenEndpoint: 'https://login.example.com/token',
    client: { clientId: 'client-1' },
    accessToken,
    obtainedMs: 1,
  }
}

test('a login is kept sealed, for its owner alone, and read again after a restart', async () => {
  const { folder, open, vault } = await aVault()
  expect(await vault.read('calendar')).toBeUndefined()
  await vault.write('calendar', aLogin('access-s3cret'))
  const [file = ''] = await readdir(folder)
  expect(await readFile(path.join(folder, file), 'utf8')).not.toMatch(/s3cret|calendar/)
  expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600)
  expect(await (await open()).read('calendar')).toEqual(aLogin('access-s3cret'))
  expect([await vault.remove('calendar'), await vault.remove('calendar')]).toEqual([true, false])
  expect(await readdir(folder)).toEqual([])
})

test('servers whose names differ by case alone have logins of their own, and one cannot be put in place of another', async () => {
  const { folder, vault } = await aVault()
  await vault.write('Mail', aLogin('one'))
  const [mail = ''] = await readdir(folder)
  await vault.write('mail', aLogin('two'))
  expect((await vault.read('Mail'))?.accessToken).toBe('one')
  const other = (await readdir(folder)).find((file) => file !== mail) ?? ''
  await rename(path.join(folder, mail), path.join(folder, other))
  await expect(vault.read('mail')).rejects.toMatchObject({ code: 'seal-broken' })
})
