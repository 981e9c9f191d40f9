import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let gateway: GatewayProcess
let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream()
  gateway = await startGateway({
    config: {
      models: { default: 'fake/m', providers: { fake: { api: 'openai-chat', baseUrl: upstream.baseUrl } } },
      plugins: { paths: [path.join(FIXTURES, 'plugins')] },
    },
  })
})

afterAll(async () => {
  await gateway?.remove()
  await upstream?.close()
})

test('a stop ends what is under way, answers each client, and keeps how it ended', async () => {
  const { api, folder } = gateway
  const marks = ['call', 'run', 'turn'].map((name) => path.join(folder, name))
  const waiting = (file: string | undefined) =>
    `return tools.call('plugin:probe:wait_for_stop', { file: ${JSON.stringify(file)} })`
  const ask = { model: 'drawbridge', messages: [{ role: 'user', content: 'Do it' }] }
  upstream.script({ hang: 'Once upon' })
  const streaming = api.post('/v1/chat/completions', { ...ask, stream: true })
  await waitUntil('the stream has begun', () => upstream.seen.length === 1)
  upstream.script({ calls: [{ name: 'tool_search_code', args: { code: waiting(marks[2]) } }] })
  const turn = api.post('/v1/chat/completions', ask, { headers: { 'x-drawbridge-session': 'cut-off' } })
  const call = api.call('plugin:probe:wait_for_stop', { file: marks[0] })
  const run = api.run(waiting(marks[1]))
  await waitUntil('all of them are under way', () =>
    Promise.all(marks.map((file) => access(file))).then(
      () => true,
      () => false,
    ),
  )

  expect(await gateway.stop()).toBe(0)

  expect((await streaming).text).toMatch(/Once upon.*"code":"unavailable"/s)
  expect((await streaming).text).not.toContain('[DONE]')
  expect(await turn).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
  expect(await call).toMatchObject({ status: 499, body: { outcome: 'cancelled', effect: 'unknown' } })
  expect(await run).toMatchObject({ status: 'failed', error: { code: 'cancelled' }, calls: [{ outcome: 'cancelled' }] })
  for (const file of marks) expect(await readFile(file, 'utf8')).toBe('started\nstopped\n')
  expect(gateway.output()).not.toMatch(/"level":50/)

  const again = await startGateway({ folder })
  expect((await again.api.get(`/v1/runs/${(await run).id}`)).body).toEqual(await run)
  const log = await again.api.get('/v1/sessions/cut-off/log')
  expect(log.text).toContain('"outcome":"cancelled"')
  expect(log.text.trimEnd().split('\n').at(-1)).toContain('"end":"cancelled"')
  await leaveReceiptWhenKilled(again)
})

/** Its end was seen by nobody; that it was made is known all the same. */
async function leaveReceiptWhenKilled(killed: GatewayProcess): Promise<void> {
  const mark = path.join(killed.folder, 'killed')
  const cut = killed.api.call('plugin:probe:wait_for_stop', { file: mark }).catch(() => 'no answer')
  const noted = path.join(killed.stateDir, 'receipts.pending')
  await waitUntil('the call is noted', async () => (await readFile(noted, 'utf8')).includes('wait_for_stop'))
  await killed.kill()
  expect(await cut).toBe('no answer')
  const after = await startGateway({ folder: killed.folder })
  const { receipts } = (await after.api.get('/v1/receipts')).body
  const lost = { toolId: 'plugin:probe:wait_for_stop', outcome: 'failed', effect: 'unknown', ms: 0 }
  expect(receipts.at(-1)).toMatchObject({ receipt: lost })
  expect((await after.cli('audit', 'verify')).stdout).toContain('intact')
  await after.remove()
}
