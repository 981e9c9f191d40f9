import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installPeer } from './install-peer.ts'

test('an installation of the pinned version is reused as it is', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-peer-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const home = path.join(folder, 'node_modules/some-peer')
  await mkdir(home, { recursive: true })
  await writeFile(path.join(home, 'package.json'), JSON.stringify({ name: 'some-peer', version: '1.2.3' }))
  expect(await installPeer({ name: 'some-peer', version: '1.2.3' }, folder)).toBe('present')
})
