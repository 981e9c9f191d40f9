import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { configHash } from '../config/load-config.ts'
import { openStateDirectory } from '../state/state-dir.ts'
import { awaitTakeUp } from './take-up.ts'

const TEXT = '{ agents: {} }'

test('an edit is taken once the gateway has read this very text, also through a link', async () => {
  const { file, link, state, ask } = await aGateway()
  await state.announceConfig({ file: link, hash: configHash('before'), verdict: 'in-force' })
  const asking = ask(file)
  await state.announceConfig({ file: link, hash: configHash(TEXT), verdict: 'in-force' })
  expect(await asking).toEqual({ kind: 'taken' })
  await state.announceConfig({ file: link, hash: configHash(TEXT), verdict: 'refused' })
  expect(await ask(file)).toEqual({ kind: 'refused' })
})

test('a gateway that reads another file, or none, is told from one that is slow', async () => {
  const { file, link, state, ask } = await aGateway()
  await state.announceConfig({ file: '/elsewhere/drawbridge.json5', hash: configHash(TEXT), verdict: 'in-force' })
  const other = ask(file)
  expect(await other).toEqual({ kind: 'other-file', file: '/elsewhere/drawbridge.json5' })
  await state.announceConfig({ verdict: 'in-force' })
  expect(await ask(file)).toEqual({ kind: 'other-file' })
  await state.announceConfig({ file: link, hash: configHash('before'), verdict: 'in-force' })
  expect(await ask(file)).toEqual({ kind: 'waiting' })
})

test('where none runs, or it has not read anything yet, there is nothing to wait for', async () => {
  const { file, state, ask } = await aGateway()
  expect(await ask(file)).toBeUndefined()
  await state.announceConfig({ file, hash: configHash(TEXT), verdict: 'in-force' })
  await state.close()
  expect(await ask(file)).toBeUndefined()
})

async function aGateway() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-take-up-'))
  const [file, link] = [path.join(folder, 'real.json5'), path.join(folder, 'drawbridge.json5')]
  await writeFile(file, TEXT)
  await symlink(file, link)
  const stateDir = path.join(folder, 'state')
  const state = await openStateDirectory(stateDir, { pid: process.pid, nowMs: 1 })
  onTestFinished(async () => {
    await state.close()
    await rm(folder, { recursive: true, force: true })
  })
  const deps = { env: {}, readFile: (each: string) => readFile(each, 'utf8') }
  return { file, link, state, ask: (edited: string) => awaitTakeUp(edited, { flags: { stateDir }, deps }) }
}
