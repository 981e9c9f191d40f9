import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

/** `mark` is denied to all, `refund_order` to the agent `narrow`; a call that got through would leave a file. */
let gateway: GatewayProcess
let upstream: FakeUpstream
let trace = ''

const DENIED = 'plugin:probe:mark'

beforeAll(async () => {
  upstream = await startFakeUpstream()
  gateway = await startGateway({ config: configIn('code') })
  trace = path.join(gateway.folder, 'trace')
  // Everything else works, so that a refusal is one of policy.
  expect((await gateway.api.call('plugin:probe:echo', { text: 'x' })).status).toBe(200)
})

afterAll(async () => {
  await gateway?.remove()
  await upstream?.close()
})

const configIn = (mode: string, deny: readonly string[] = ['PLUGIN:Probe:MAR*']) => ({
  models: { default: 'fake/m', providers: { fake: { api: 'openai-chat', baseUrl: upstream.baseUrl } } },
  agents: {
    narrow: { tools: { deny: ['refund_*'] } },
    demo: { tools: { allow: ['plugin:demo:*', DENIED] } },
  },
  plugins: { paths: [path.join(FIXTURES, 'plugins')] },
  tools: { toolSearch: { mode }, deny },
})

async function useMode(mode: string): Promise<void> {
  await gateway.writeConfig(configIn(mode))
  await waitUntil(`mode ${mode} is in force`, async () => (await gateway.api.get('/readyz')).body.mode.inForce === mode)
}

async function hasRun(): Promise<boolean> {
  const text = await readFile(trace, 'utf8').catch(() => '')
  await rm(trace, { force: true })
  return text !== ''
}

/** Spellings that someone would try. */
const SPELLINGS = [
  DENIED,
  'mark',
  'PLUGIN:PROBE:MARK',
  'Mark',
  ' plugin:probe:mark',
  'plugin:probe:mark ',
  'plugin:probe:mark\u0000',
  'plugin:probe:mark\u200b',
  'plugin:probe:\u043cark',
  'plugin:probe:m\u0430rk',
  'plugin:probe:ｍａｒｋ',
  'plugin:probe:mark%20',
  'plugin%3Aprobe%3Amark',
  'plugin:probe:%6dark',
  'probe:mark',
  'probe__mark',
  'probe.mark',
  'plugin:probe:./mark',
  'plugin:probe:refund_order/../mark',
  '__proto__',
] as const

describe('a denied tool', () => {
  test('can be called over HTTP by no spelling, and is described by none', async () => {
    for (const spelling of SPELLINGS) {
      const call = await gateway.api.call(spelling, { file: trace })
      expect([spelling, call.status, call.body.outcome]).toEqual([spelling, 404, 'unknown-tool'])
      // Not even that it exists: the same words as for any other unknown name, and no suggestion of it.
      expect(call.body.suggestions).not.toContain(DENIED)
      expect((await gateway.api.get(`/v1/tools/${encodeURIComponent(spelling)}`)).status).toBe(404)
    }
    expect(await hasRun()).toBe(false)
  })

  test('is found by no search and stands in no list', async () => {
    const queries = ['mark', DENIED, 'writes a line into a file so that a test can see that it ran', 'probe', '*']
    for (const query of queries) {
      const { body } = await gateway.api.post('/v1/tools/search', { query, limit: 50, explain: true })
      expect(JSON.stringify(body)).not.toMatch(/probe:mark|"mark"/)
    }
    expect((await gateway.api.get('/v1/tools?limit=1000')).text).not.toContain('probe:mark')
  })

  test('cannot be reached by a program in any way', async () => {
    const run = await gateway.api.run(`
      const args = { file: ${JSON.stringify(trace)} }
      const ways = []
      const attempt = async (name, way) => {
        try { ways.push([name, await way()]) } catch (error) { ways.push([name, error.code ?? error.name]) }
      }
      for (const id of ${JSON.stringify(SPELLINGS)}) {
        await attempt(id, () => tools.call(id, args))
        await attempt(id, () => tools.describe(id))
        await attempt(id, () => tools[id](args))
      }
      await attempt('namespace', () => tools.probe.mark(args))
      await attempt('case', () => tools.Probe.Mark(args))
      await attempt('bracket', () => tools['probe']['mark'](args))
      await attempt('source', () => tools.plugin.probe.mark(args))
      await attempt('toString', () => tools.call({ toString: () => 'plugin:probe:mark' }, args))
      await attempt('hit', async () => { const [hit] = await tools.search('mark'); return hit.id })
      await attempt('forged hit', async () => { const [hit] = await tools.search('echo'); return await hit.call.call({ id: 'plugin:probe:mark' }, args) })
      await attempt('all', async () => (await tools.callAll([{ id: 'plugin:probe:mark', args }])).map((r) => r.outcome ?? r.code))
      return ways`)
    expect(run.status).toBe('completed')
    expect(await hasRun()).toBe(false)
    expect(
      run.calls.filter(({ tool, outcome }: { tool: string; outcome: string }) => tool === DENIED && outcome === 'ok'),
    ).toEqual([])
    const byName = Object.fromEntries(run.value)
    expect(byName['namespace']).toBe('unknown-tool')
    expect(byName['hit']).not.toBe(DENIED)
  })

  test('cannot be reached by the CLI', async () => {
    const ends = await Promise.all([
      gateway.cli('tools', 'call', DENIED, JSON.stringify({ file: trace })),
      gateway.cli('tools', 'call', 'MARK', JSON.stringify({ file: trace })),
      gateway.cli('tools', 'search', 'mark', '--json'),
      gateway.cli('tools', 'list', '--json'),
    ])
    expect(ends.map(({ code }) => code)).toEqual([1, 1, 0, 0])
    expect(ends[0]?.stderr).toContain('unknown-tool')
    for (const { stdout } of ends) expect(stdout).not.toContain('probe:mark')
    expect(await hasRun()).toBe(false)
  })

  test.each(['code', 'tools', 'direct'] as const)('cannot be reached by a model in %s mode', async (mode) => {
    await useMode(mode)
    const args = { file: trace }
    const shown = {
      code: SPELLINGS.map((id) => ({
        name: 'tool_search_code',
        args: { code: `return tools.call(${JSON.stringify(id)}, ${JSON.stringify(args)})` },
      })),
      tools: SPELLINGS.flatMap((id) => [
        { name: 'tool_call', args: { id, args } },
        { name: 'tool_describe', args: { id } },
        { name: id, args },
      ]),
      direct: SPELLINGS.map((id) => ({ name: id, args })),
    }
    upstream.script(
      { calls: shown[mode].map((call, index) => ({ ...call, id: `c${index}` })) },
      { say: 'I could not.' },
    )
    const { status } = await gateway.api.chat('Mark it')
    expect(status).toBe(200)
    expect(upstream.seen).toHaveLength(2)
    // Shown neither before nor after; what the model itself wrote is not counted.
    expect(JSON.stringify(upstream.seen[0]?.body.tools)).not.toContain('mark')
    expect(await hasRun()).toBe(false)
  })
})

describe('layers', () => {
  test("an agent's list narrows the global one, and only for it", async () => {
    const order = { order: 1 }
    const as = (agent: string) => ({ 'x-drawbridge-agent': agent })
    expect((await gateway.api.call('plugin:probe:refund_order', order, as('default'))).status).toBe(200)
    expect((await gateway.api.call('plugin:probe:refund_order', order, as('narrow'))).status).toBe(404)
    const run = await gateway.api.run(`return tools.call('refund_order', { order: 1 })`, { agent: 'narrow' })
    expect(run).toMatchObject({ status: 'failed', calls: [{ outcome: 'unknown-tool' }] })
  })

  test("an agent's allow list does not give back what is denied to all", async () => {
    const as = { 'x-drawbridge-agent': 'demo' }
    expect((await gateway.api.call(DENIED, { file: trace }, as)).status).toBe(404)
    expect((await gateway.api.call('plugin:probe:echo', { text: 'x' }, as)).status).toBe(404)
    expect((await gateway.api.call('plugin:demo:list_invoices', {}, as)).status).toBe(200)
    const { tools } = (await gateway.api.get('/v1/tools?limit=1000', as)).body
    expect(new Set(tools.map(({ owner }: { owner: string }) => owner))).toEqual(new Set(['demo']))
    expect(await hasRun()).toBe(false)
  })

  test('a client tool is denied by the same lists', async () => {
    await gateway.writeConfig(configIn('direct', ['open_tab', DENIED]))
    const tool = { type: 'function', function: { name: 'open_tab', parameters: { type: 'object' } } }
    const sent = await waitUntil('the client tool is no longer shown', async () => {
      upstream.script({ calls: [{ name: 'open_tab', args: {} }] }, { say: 'No such thing.' })
      const { body } = await gateway.api.chat('Open it', { tools: [tool] })
      return !upstream.toolNames(1).includes('open_tab') && body
    })
    expect(sent.choices[0].finish_reason).toBe('stop')
    await useMode('code')
  })

  test('a tool that is denied while a program runs is refused from its next call on', async () => {
    const refunds = async (): Promise<number> => {
      const { receipts } = (await gateway.api.get('/v1/receipts?limit=200')).body
      const isRefund = ({ receipt }: { readonly receipt: { readonly toolId?: string; readonly outcome?: string } }) =>
        receipt.toolId === 'plugin:probe:refund_order' && receipt.outcome === 'ok'
      return receipts.filter(isRefund).length
    }
    const before = await refunds()
    const running = gateway.api.run(`
      const ends = []
      for (let turn = 0; turn < 60; turn += 1) {
        try { await tools.probe.refund_order({ order: 2 }); ends.push('ok') } catch (error) { ends.push(error.code); break }
        await new Promise((resolve) => setTimeout(resolve, 150))
      }
      return ends`)
    await waitUntil('its first call is made', async () => (await refunds()) > before)
    await gateway.writeConfig(configIn('code', ['plugin:probe:refund_order', DENIED]))
    const { value } = await running
    expect(value.at(0)).toBe('ok')
    expect(value.at(-1)).toBe('denied')
  })
})
