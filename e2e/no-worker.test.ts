import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { ROOT, startGateway } from './testing/gateway-process.ts'

/** A copy of the gateway whose workers end as they start, as on a machine that has no build of the isolate. */
let copy = ''
let gateway: GatewayProcess

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'drawbridge-copy-'))
  for (const part of ['catalog', 'policy', 'bridge', 'plugins', 'gateway', 'package.json', 'tsconfig.json']) {
    await cp(path.join(ROOT, part), path.join(copy, part), { recursive: true })
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  await writeFile(path.join(copy, 'bridge/isolate/worker.mjs'), `process.exit(3)\n`)
  gateway = await startGateway({ checkout: copy })
})

afterAll(async () => {
  await gateway?.remove()
  await rm(copy, { recursive: true, force: true })
})

test('code falls back to tools: said by /readyz, the log and the session, and turns work', async () => {
  const { mode, status } = (await gateway.api.get('/readyz')).body
  expect(status).toBe('ready')
  expect(mode).toMatchObject({ configured: 'code', inForce: 'tools', reason: expect.stringContaining('worker') })
  expect(gateway.output()).toMatch(/mode \\?"code\\?" falls back to \\?"tools\\?"/)
  const { body } = await gateway.api.chat('Which invoices are overdue?', { user: 'fallback' })
  expect(body.choices[0].message.content).toContain('inv-1002')
  const { text } = await gateway.api.get('/v1/sessions/fallback/log')
  expect(text).toContain('"mode-fell-back"')
  expect(text).toContain('"mode":"tools"')
})

test('programs are refused with the reason, and calls go on', async () => {
  const { status, body } = await gateway.api.post('/v1/runs', { code: 'return 1' })
  expect([status, body.error.code]).toEqual([503, 'unavailable'])
  expect(body.error.message).toContain('worker')
  expect((await gateway.api.call('plugin:demo:list_invoices', {})).status).toBe(200)
})
