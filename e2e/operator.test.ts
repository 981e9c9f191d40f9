import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient } from './testing/api-client.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ config: { agents: { research: {} } } })
})
afterAll(() => gateway?.remove())

test('a token made by command works for its tenant and agents until it is revoked', async () => {
  const created = await gateway.cli('tokens', 'create', 'bot', '--tenant', 'acme', '--agents', 'research')
  expect(created).toMatchObject({ code: 0, stderr: 'token "bot" of tenant "acme" with chat, tools; shown this once\n' })
  const token = created.stdout.trim()
  const bot = createApiClient(gateway.url, token)
  expect((await bot.call('plugin:demo:list_invoices', {})).status).toBe(200)
  expect((await bot.get('/v1/models')).body.data.map(({ id }: { id: string }) => id)).toContain('drawbridge/research')
  expect((await bot.get('/v1/tools', { 'x-drawbridge-agent': 'default' })).status).toBe(400)
  expect((await bot.get('/v1/tokens')).status).toBe(403)
  expect((await gateway.cli('tokens', 'list')).stdout).toMatch(/ acme\/bot +chat,tools +research +made /)
  expect((await gateway.cli('tokens', 'revoke', 'bot')).code).toBe(0)
  expect((await bot.get('/v1/tools')).status).toBe(401)
  expect(await gateway.logText()).not.toContain(token)
})

test('two thousand guesses from one address are answered, almost all with 429, and good tokens pass meanwhile', async () => {
  const guess = (index: number) => createApiClient(gateway.url, `guess-${index}`).get('/v1/tools')
  const statuses: number[] = []
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => guess(round * 100 + index)))
    statuses.push(...answers.map(({ status }) => status))
    expect((await gateway.api.get('/v1/tools')).status).toBe(200)
    if (round === 19) expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(1_900)
})

test('a slip in a deny list is warned of while the gateway runs', async () => {
  const slip = /^warning: tools\.deny\[0\]: "plugin:demo:delete_invioce" matches no tool of the running gateway/
  const edit = await gateway.cli('config', 'patch', '{ tools: { deny: ["plugin:demo:delete_invioce"] } }')
  expect(edit).toMatchObject({ code: 0, stderr: expect.stringMatching(slip) })
  const { code, stderr } = await gateway.cli('config', 'validate')
  expect(code).toBe(0)
  expect(stderr).toMatch(slip)
  expect(await gateway.cli('config', 'unset', 'tools.deny')).toMatchObject({ code: 0 })
})

test('the doctor finds a running gateway well', async () => {
  const { code, stdout } = await gateway.cli('doctor', '--json')
  expect([code, JSON.parse(stdout).problems]).toEqual([0, 0])
})

test('receipts of every call are chained; one that is changed is named, running and stopped', async () => {
  for (let count = 0; count < 3; count += 1) await gateway.api.call('plugin:demo:list_invoices', {})
  await gateway.api.call('plugin:demo:no_such_tool', {})
  await waitUntil(
    'the receipts are there',
    async () => (await gateway.api.get('/v1/receipts')).body.receipts.length >= 4,
  )
  const intact = await gateway.cli('audit', 'verify')
  expect(intact).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^acme: 1 receipt, intact.*\ndefault: \d+ receipts, intact/),
  })
  expect((await gateway.cli('audit', 'tail', '--last', '1')).stdout).toContain(
    'no_such_tool  unknown-tool  effect none',
  )
  const database = new DatabaseSync(path.join(gateway.stateDir, 'drawbridge.db'), { timeout: 5_000 })
  database.exec(`UPDATE receipts SET body = replace(body, '"unknown-tool"', '"ok"') WHERE tenant = 'default'`)
  database.close()
  const running = await gateway.cli('audit', 'verify')
  expect([running.code, running.stdout]).toEqual([
    1,
    expect.stringMatching(/\n {4}receipt \d+ \("rc_[-0-9a-f]+"\) was changed\n/),
  ])
  expect(await gateway.stop()).toBe(0)
  expect(await gateway.cli('audit', 'verify')).toEqual(running)
  expect((await gateway.cli('audit', 'export')).stdout.trim().split('\n').length).toBeGreaterThanOrEqual(4)
})

test('a stopped gateway gets a token and is found well by the doctor', async () => {
  expect((await gateway.cli('tokens', 'create', 'later', '--save')).code).toBe(0)
  expect((await readFile(path.join(gateway.stateDir, 'tokens'), 'utf8')).includes('later')).toBe(true)
  const { code, stdout } = await gateway.cli('doctor')
  expect(stdout).toContain('ok       gateway        none runs for')
  expect(stdout).not.toContain('problem')
  expect(code).toBe(0)
})
