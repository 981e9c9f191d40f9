import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRunningGateway } from './running-gateway.ts'
import { openStateDirectory } from './state-dir.ts'
import { isStateLockHeld } from './state-lock.ts'
import { stateDirectoryPath } from './state-directory-path.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-state-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const self = { pid: 4711, nowMs: 1 }

test('the directory is made for its owner alone, with the parents that are missing', async () => {
  const directory = await openStateDirectory(path.join(folder, 'new', 'state'), self)
  expect((await stat(directory.path)).mode & 0o777).toBe(0o700)
  expect((await stat(directory.file('lock.db'))).mode & 0o777).toBe(0o600)
  await directory.close()
})

test('a directory that exists keeps its mode', async () => {
  const existing = await mkdtemp(path.join(folder, 'existing-'))
  await chmod(existing, 0o755)
  await (await openStateDirectory(existing, self)).close()
  expect((await stat(existing)).mode & 0o777).toBe(0o755)
})

test('a second gateway is refused with the process and address of the first, and let in when that has closed', async () => {
  const state = path.join(folder, 'twice')
  const first = await openStateDirectory(state, self)
  await expect(openStateDirectory(state, { pid: 5, nowMs: 2 })).rejects.toMatchObject({
    code: 'state-directory-in-use',
    message: `state directory "${state}" is held by the gateway with process id 4711; stop it, or start this one with another --state-dir`,
  })
  await first.announce('http://127.0.0.1:8790')
  await expect(openStateDirectory(state, { pid: 5, nowMs: 2 })).rejects.toThrow('4711 at http://127.0.0.1:8790;')
  await first.close()
  await first.close()
  expect(await readRunningGateway(state)).toBeUndefined()
  await (await openStateDirectory(state, self)).close()
})

test('the lock of a process that was killed is free at once, and while it lived it was not', async () => {
  const state = path.join(folder, 'killed')
  const module = pathToFileURL(path.join(import.meta.dirname, 'state-dir.ts')).href
  const program = `
    const { openStateDirectory } = await import(${JSON.stringify(module)})
    const directory = await openStateDirectory(${JSON.stringify(state)}, { pid: process.pid, nowMs: 1 })
    await directory.announce('http://127.0.0.1:1')
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  await expect(openStateDirectory(state, self)).rejects.toThrow(`process id ${child.pid}`)
  expect(await isStateLockHeld(state)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await isStateLockHeld(state)).toBe(false)
  const directory = await openStateDirectory(state, self)
  expect(await readRunningGateway(state)).toEqual({ pid: 4711, startedMs: 1 })
  expect((await readdir(state)).toSorted()).toEqual(['gateway.json', 'lock.db'])
  await directory.close()
})

test('a directory that cannot be asked whether a gateway holds it is not said to be free', async () => {
  const state = path.join(folder, 'unreadable')
  await mkdir(path.join(state, 'lock.db'), { recursive: true })
  await expect(isStateLockHeld(state)).rejects.toMatchObject({ code: 'state-directory-unusable' })
})

test('whether a gateway holds the directory can be asked without disturbing it', async () => {
  const state = path.join(folder, 'asked')
  expect(await isStateLockHeld(state)).toBe(false)
  const directory = await openStateDirectory(state, self)
  expect(await isStateLockHeld(state)).toBe(true)
  await directory.close()
  expect(await isStateLockHeld(state)).toBe(false)
  const asking = Array.from({ length: 50 }, () => isStateLockHeld(state))
  const [again] = await Promise.all([openStateDirectory(state, self), ...asking])
  await again.close()
})

test('a path that is a file is refused with the reason', async () => {
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  await expect(openStateDirectory(file, self)).rejects.toMatchObject({ code: 'state-directory-unusable' })
  await expect(openStateDirectory(path.join(file, 'x'), self)).rejects.toThrow('name another by --state-dir')
})

test('a damaged gateway.json names nobody', async () => {
  const state = await mkdtemp(path.join(folder, 'damaged-'))
  for (const text of ['', '[]', '{"pid":"x"}', 'null']) {
    await writeFile(path.join(state, 'gateway.json'), text)
    expect(await readRunningGateway(state)).toBeUndefined()
  }
})

test('the flag goes before the environment, and that before the home directory', () => {
  expect(stateDirectoryPath('/a', { DRAWBRIDGE_STATE_DIR: '/b' })).toBe('/a')
  expect(stateDirectoryPath(undefined, { DRAWBRIDGE_STATE_DIR: '/b' })).toBe('/b')
  expect(stateDirectoryPath(undefined, { DRAWBRIDGE_STATE_DIR: '' })).toBe(path.join(os.homedir(), '.drawbridge'))
})
