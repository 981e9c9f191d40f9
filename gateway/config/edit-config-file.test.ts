import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonValue } from '../../catalog/json.ts'
import type { ConfigPaths } from './config-paths.ts'
import type { ConfigPath } from './document/config-path.ts'
import { setPath, unsetPath } from './document/edit-document.ts'
import type { FileEdit } from './edit-config-file.ts'
import { editConfigFile } from './edit-config-file.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-edit-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the first edit makes the file in the state directory, for its owner alone, and leaves nothing else behind', async () => {
  const paths = await aPlace()
  const file = path.join(paths.stateDirectory, 'drawbridge.json5')
  expect(await editConfigFile(set(paths, ['tools', 'toolSearch'], true))).toEqual({
    kind: 'edited',
    file,
    // It is the default: what is in force stays.
    changed: [],
    warnings: [],
    plainSecrets: [],
  })
  expect(await readFile(file, 'utf8')).toBe('{\n  tools: { toolSearch: true },\n}\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(paths.stateDirectory)).toEqual(['drawbridge.json5'])
})

test('the file in the working directory is edited where there is one, and the named one before all', async () => {
  const paths = await aPlace('{}')
  const file = path.join(paths.workingDirectory, 'drawbridge.json5')
  expect(await editConfigFile(set(paths, ['gateway', 'port'], 1))).toMatchObject({ file })
  const named = path.join(paths.workingDirectory, 'new', 'named.json5')
  expect(await editConfigFile(set({ ...paths, named }, ['gateway', 'port'], 2))).toMatchObject({
    kind: 'edited',
    file: named,
  })
  expect(await readFile(file, 'utf8')).toContain('port: 1')
})

test('an edit keeps the mode of the file, and goes through a link to the file itself', async () => {
  const paths = await aPlace('{}')
  const link = path.join(paths.workingDirectory, 'drawbridge.json5')
  const real = path.join(paths.workingDirectory, 'dotfiles.json5')
  await rm(link)
  await writeFile(real, '{ /* mine */ }')
  await chmod(real, 0o640)
  await symlink(real, link)
  expect(await editConfigFile(set(paths, ['gateway', 'port'], 1))).toMatchObject({ kind: 'edited', file: real })
  expect(await readFile(link, 'utf8')).toContain('/* mine */')
  expect((await stat(real)).mode & 0o777).toBe(0o640)
})

test('an edit that says nothing new leaves the file byte for byte, and makes no backup', async () => {
  const text = '{ gateway: { port: 0x1 } } // odd,   but mine'
  const paths = await aPlace(text)
  const file = path.join(paths.workingDirectory, 'drawbridge.json5')
  const before = await stat(file, { bigint: true })
  expect(await editConfigFile(set(paths, ['gateway', 'port'], 1))).toEqual({ kind: 'unchanged', file })
  expect(await readFile(file, 'utf8')).toBe(text)
  expect((await stat(file, { bigint: true })).ctimeNs).toBe(before.ctimeNs)
  expect(await readdir(paths.stateDirectory)).toEqual([])
})

test('an edit that would make the whole invalid is refused with the paths at fault, and nothing is written', async () => {
  const text = '{ gateway: { port: 1 } }'
  const paths = await aPlace(text)
  expect(await editConfigFile(set(paths, ['gateway', 'port'], 'x'))).toMatchObject({
    kind: 'refused',
    problems: [{ path: ['gateway', 'port'], message: 'is "x" (a string); expected an integer from 0 to 65535' }],
  })
  expect(await editConfigFile(set(paths, ['gatewy', 'port'], 1))).toMatchObject({
    kind: 'refused',
    problems: [{ path: ['gatewy'] }],
  })
  expect(await editConfigFile(set(paths, ['models', 'default'], 'nowhere/x'))).toMatchObject({ kind: 'refused' })
  expect(await readFile(path.join(paths.workingDirectory, 'drawbridge.json5'), 'utf8')).toBe(text)
})

test('what was refused is kept beside the backups, the last five of it, but of a dry run', async () => {
  const paths = await aPlace('{}')
  const refused = await editConfigFile(set(paths, ['gateway', 'port'], 'first'))
  expect(refused).toMatchObject({ kind: 'refused', rejected: expect.stringContaining('config-backups/rejected.') })
  const copy = refused.kind === 'refused' ? (refused.rejected ?? '') : ''
  expect(await readFile(copy, 'utf8')).toContain("port: 'first'")
  expect((await stat(copy)).mode & 0o777).toBe(0o600)
  for (let count = 0; count < 6; count += 1) await editConfigFile(set(paths, ['gateway', 'port'], `x${count}`))
  await editConfigFile({ ...set(paths, ['gateway', 'port'], 'dry'), isDryRun: true })
  const kept = (await readdir(path.dirname(copy))).toSorted()
  expect(kept).toHaveLength(5)
  expect(await readFile(path.join(path.dirname(copy), kept.at(-1) ?? ''), 'utf8')).toContain("'x5'")
})

test('where what is in force changes is told by the deepest key, however much was written', async () => {
  const paths = await aPlace('{}')
  const sandbox = { cpuMs: 3000, memoryMb: 64 }
  expect(await editConfigFile(set(paths, ['sandbox'], sandbox))).toMatchObject({ changed: [['sandbox', 'cpuMs']] })
})

test('a reference that only the gateway can resolve is a warning', async () => {
  const paths = await aPlace('{}')
  const value = { api: 'openai-chat', baseUrl: 'https://x', apiKey: '${ELSEWHERE}' }
  expect(await editConfigFile(set(paths, ['models', 'providers', 'p'], value))).toMatchObject({
    kind: 'edited',
    warnings: [{ kind: 'reference', path: ['models', 'providers', 'p', 'apiKey'] }],
  })
})

test('an edit neither reads secret files nor runs secret commands', async () => {
  const paths = await aPlace('{}')
  const trace = path.join(paths.workingDirectory, 'ran')
  const apiKey = { command: [process.execPath, '-e', `require('fs').writeFileSync(${JSON.stringify(trace)}, '')`] }
  const provider = { api: 'openai-chat', baseUrl: 'https://x', apiKey, headers: { a: { file: '/none' } } }
  expect(await editConfigFile(set(paths, ['models', 'providers', 'p'], provider))).toMatchObject({
    kind: 'edited',
    warnings: [],
  })
  expect((await readdir(paths.workingDirectory)).includes('ran')).toBe(false)
})

test('a dry run checks everything and writes nothing', async () => {
  const paths = await aPlace()
  expect(await editConfigFile({ ...set(paths, ['gateway', 'port'], 1), isDryRun: true })).toMatchObject({
    kind: 'edited',
  })
  expect(await editConfigFile({ ...set(paths, ['gateway', 'port'], 'x'), isDryRun: true })).toMatchObject({
    kind: 'refused',
  })
  expect(await readdir(paths.stateDirectory)).toEqual([])
})

test('the last five states of the file are kept, also when the clock stands still', async () => {
  const paths = await aPlace('{ gateway: { port: 0 } }')
  for (let port = 1; port <= 7; port += 1) await editConfigFile(set(paths, ['gateway', 'port'], port))
  const backups = path.join(paths.stateDirectory, 'config-backups')
  const names = (await readdir(backups)).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(path.join(backups, name), 'utf8')))
  expect(texts.map((text) => /\d+/.exec(text)?.[0])).toEqual(['2', '3', '4', '5', '6'])
  expect((await stat(path.join(backups, names[0] ?? ''))).mode & 0o777).toBe(0o600)
})

test('edits that run at the same time are all there in the end', async () => {
  const paths = await aPlace('{}')
  const names = Array.from({ length: 12 }, (_, index) => `agent${index}`)
  await Promise.all(names.map((name) => editConfigFile(set(paths, ['agents', name], {}))))
  const text = await readFile(path.join(paths.workingDirectory, 'drawbridge.json5'), 'utf8')
  expect(names.filter((name) => text.includes(`${name}: {}`))).toEqual(names)
})

test.each([
  ['long ago', 0],
  ['before the clock was set back', Date.now() + 3_600_000],
])('a lock that a killed command left %s does not stop edits for ever', async (_when, leftMs) => {
  const paths = await aPlace('{}')
  const lock = path.join(paths.workingDirectory, 'drawbridge.json5.lock')
  await writeFile(lock, '')
  await utimes(lock, new Date(leftMs), new Date(leftMs))
  expect(await editConfigFile(set(paths, ['gateway', 'port'], 1))).toMatchObject({ kind: 'edited' })
})

test('taking away what is not there says so; a file that cannot be parsed is refused as it is', async () => {
  const paths = await aPlace('{}')
  expect(await editConfigFile({ paths, env: {}, nowMs: 1, edit: unsetGateway })).toMatchObject({ kind: 'absent' })
  await writeFile(path.join(paths.workingDirectory, 'drawbridge.json5'), '{ gateway: ')
  expect(await editConfigFile(set(paths, ['gateway', 'port'], 1))).toMatchObject({
    kind: 'refused',
    problems: [{ kind: 'syntax' }],
  })
})

async function aPlace(text?: string): Promise<ConfigPaths> {
  const place = await mkdtemp(path.join(folder, 'place-'))
  const paths = { workingDirectory: path.join(place, 'work'), stateDirectory: path.join(place, 'state') }
  for (const each of Object.values(paths)) await mkdir(each)
  if (text !== undefined) await writeFile(path.join(paths.workingDirectory, 'drawbridge.json5'), text)
  return paths
}

function unsetGateway(text: string) {
  return unsetPath(text, ['gateway'])
}

function set(paths: ConfigPaths, at: ConfigPath, value: JsonValue): FileEdit {
  return { paths, env: {}, nowMs: 1_000, edit: (text) => setPath(text, at, value) }
}
