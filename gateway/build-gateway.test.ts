import { access, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildGateway } from './build-gateway.ts'
import { gatewayOptions } from './testing/gateway-options.ts'

async function aBuild(environmentToken?: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-build-'))
  const options = await gatewayOptions({ folder, environmentToken })
  onTestFinished(async () => {
    await options.state.close()
    await rm(folder, { recursive: true, force: true })
  })
  // SQLite takes this file away when the last who has the store open closes it.
  const isStoreOpen = (): Promise<boolean> =>
    access(options.state.file('drawbridge.db-wal')).then(
      () => true,
      () => false,
    )
  return { build: () => buildGateway(options), isStoreOpen }
}

test('what was made is closed again where something after it cannot be made', async () => {
  const { build, isStoreOpen } = await aBuild('no token has spaces')
  await expect(build()).rejects.toMatchObject({ code: 'token-unusable' })
  expect(await isStoreOpen()).toBe(false)
})

test('a part that fails to close keeps no other open, and is what is told', async () => {
  const { build, isStoreOpen } = await aBuild()
  const gateway = await build()
  const { sandbox } = gateway
  const close = sandbox.close.bind(sandbox)
  Object.assign(sandbox, { close: () => close().then(() => Promise.reject(new Error('a worker is stuck'))) })
  expect(await isStoreOpen()).toBe(true)
  await expect(gateway.close()).rejects.toThrow('a worker is stuck')
  expect(await isStoreOpen()).toBe(false)
})
