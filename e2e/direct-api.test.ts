import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from './testing/api-client.ts'
import type { ApiClient } from './testing/api-client.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let gateway: GatewayProcess
/** Of another tenant. */
let stranger: ApiClient

beforeAll(async () => {
  const odd = { command: process.execPath, args: [path.join(FIXTURES, 'servers/odd.mjs')], timeoutMs: 300 }
  gateway = await startGateway({
    config: { plugins: { paths: [path.join(FIXTURES, 'plugins')] }, mcp: { servers: { odd } }, agents: { other: {} } },
  })
  const made = await gateway.cli('tokens', 'create', 'stranger', '--tenant', 'strangers', '--agents', 'default')
  stranger = createApiClient(gateway.url, made.stdout.trim())
  await waitUntil(
    'the server is connected',
    async () => (await gateway.api.get('/v1/tools/mcp:odd:echo')).status === 200,
  )
})

afterAll(() => gateway?.remove())

const calls = [
  { tool: 'plugin:probe:echo', args: { text: 'x' }, status: 200, outcome: 'ok', effect: 'done' },
  { tool: 'plugin:probe:echo', args: { txt: 7 }, status: 400, outcome: 'invalid-input', effect: 'none' },
  { tool: 'echo', args: { text: 'x' }, status: 400, outcome: 'ambiguous-tool', effect: 'none' },
  { tool: 'plugin:probe:nothing', args: {}, status: 404, outcome: 'unknown-tool', effect: 'none' },
  { tool: 'plugin:probe:refund_order', args: { order: 13 }, status: 403, outcome: 'denied', effect: 'none' },
  { tool: 'plugin:probe:throw_error', args: { message: 'oops' }, status: 502, outcome: 'failed', effect: 'unknown' },
  { tool: 'plugin:probe:say_error', args: {}, status: 502, outcome: 'failed', effect: 'unknown' },
  { tool: 'plugin:probe:lying_output', args: {}, status: 502, outcome: 'invalid-output', effect: 'done' },
  { tool: 'plugin:probe:not_there', args: {}, status: 503, outcome: 'unavailable', effect: 'none' },
  { tool: 'mcp:odd:wait', args: {}, status: 504, outcome: 'timed-out', effect: 'unknown' },
]

describe('a call', () => {
  test.each(calls)('$tool that ends $outcome is answered with $status', async ({ tool, args, status, ...expected }) => {
    const answer = await gateway.api.call(tool, args)
    expect(answer.body).toMatchObject({ ...expected, receipt: expect.stringMatching(/^rc_/), ms: expect.any(Number) })
    expect(answer.status).toBe(status)
    // The whole of what a tool threw, and no more.
    expect(answer.text).not.toMatch(/\bat .*\.ts:\d+/)
  })

  test('by a client that leaves stops the tool', async () => {
    const file = path.join(gateway.folder, 'direct-stop')
    const leaving = new AbortController()
    const body = { args: { file } }
    const gone = gateway.api
      .post('/v1/tools/plugin:probe:wait_for_stop/call', body, { signal: leaving.signal })
      .catch(() => 'gone')
    await waitUntil('the tool has started', () =>
      access(file).then(
        () => true,
        () => false,
      ),
    )
    leaving.abort()
    expect(await gone).toBe('gone')
    await waitUntil('the tool was stopped', async () => (await readFile(file, 'utf8')).includes('stopped'))
  })

  test.each([{ status: 'overdue' }, { arg: { status: 'overdue' } }, { args: {}, session: 's' }])(
    'of the body %j, of which a part would go unread, is not made',
    async (body) => {
      const refused = await gateway.api.post('/v1/tools/plugin%3Ademo%3Alist_invoices/call', body)
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringMatching(/^unknown field ".*"; there are args, toolsAllow$/) } },
      })
    },
  )

  test('names what is wrong with the arguments, and how it is called', async () => {
    const { body } = await gateway.api.call('plugin:demo:create_event', { titel: 'Review' })
    expect(body.problems.map(({ path: place }: { path: string }) => place)).toEqual(expect.arrayContaining(['/title']))
    expect(body.signature).toContain('title: string')
  })
})

describe('a search', () => {
  test('pages by its cursor until there is no more, each tool once', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { body } = await gateway.api.post('/v1/tools/search', {
        query: 'invoice',
        limit: 4,
        ...(cursor && { cursor }),
      })
      seen.push(...body.hits.map(({ id }: { id: string }) => id))
      cursor = body.cursor
    } while (cursor !== undefined)
    expect(seen.length).toBeGreaterThanOrEqual(4)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('answers several queries at once, and refuses what it cannot read', async () => {
    const { body } = await gateway.api.post('/v1/tools/search', { queries: ['overdue invoices', 'book a meeting'] })
    expect(body.results.map(({ query, hits }: { query: string; hits: unknown[] }) => [query, hits.length > 0])).toEqual(
      [
        ['overdue invoices', true],
        ['book a meeting', true],
      ],
    )
    for (const bad of [
      {},
      { query: 7 },
      { query: 'x', limit: 'many' },
      { query: 'x', cursor: 'made-up' },
      [],
      null,
      'text',
    ]) {
      const answer = await gateway.api.post('/v1/tools/search', JSON.stringify(bad))
      expect([bad, answer.status, answer.body.error?.code]).toEqual([bad, 400, 'invalid_request'])
    }
  })
})

describe('a run', () => {
  test('that fails still has its log, its calls and its telemetry', async () => {
    const run = await gateway.api.run(`
      console.log('before')
      await tools.call('plugin:probe:echo', { text: 'x' })
      await tools.call('plugin:probe:throw_error', { message: 'oops' })`)
    expect(run).toMatchObject({
      status: 'failed',
      error: { code: 'program-error', message: expect.stringContaining('oops'), line: 4 },
      logs: [{ level: 'log', text: 'before' }],
      calls: [
        { tool: 'plugin:probe:echo', outcome: 'ok' },
        { tool: 'plugin:probe:throw_error', outcome: 'failed', effect: 'unknown' },
      ],
      telemetry: { calls: 2, searches: 0 },
    })
  })

  test('is shown as it ended, and replayed from its record without calling anything', async () => {
    const file = path.join(gateway.folder, 'replayed')
    const code = `
      const { text } = await tools.call('plugin:probe:echo', { text: 'x' })
      await tools.call('plugin:probe:mark', { file: ${JSON.stringify(file)} })
      return [text, Math.random(), Date.now()]`
    const run = await gateway.api.run(code)
    expect(run.status).toBe('completed')
    expect((await gateway.api.get(`/v1/runs/${run.id}`)).body).toEqual(run)
    const replayed = await gateway.api.post(`/v1/runs/${run.id}/replay`, {})
    expect(replayed.body).toMatchObject({ status: 'completed', value: run.value })
    expect(await readFile(file, 'utf8')).toBe('ran\n')
    const other = await gateway.api.post(`/v1/runs/${run.id}/replay`, {
      code: `return tools.call('plugin:demo:list_invoices', {})`,
    })
    expect(other.body.error.code).toBe('replay-diverged')
    for (const bad of [{ until: -1 }, { until: 'x' }, { code: 7 }]) {
      expect((await gateway.api.post(`/v1/runs/${run.id}/replay`, bad)).status).toBe(400)
    }
    const cli = await gateway.cli('runs', 'replay', run.id, '--json')
    expect(JSON.parse(cli.stdout)).toMatchObject({ status: 'completed', value: run.value })
  })

  test('stops with the tool that it waits for when its client leaves', async () => {
    const file = path.join(gateway.folder, 'run-stop')
    const leaving = new AbortController()
    const code = `return tools.call('plugin:probe:wait_for_stop', { file: ${JSON.stringify(file)} })`
    const gone = gateway.api.post('/v1/runs', { code }, { signal: leaving.signal }).catch(() => 'gone')
    await waitUntil('the tool has started', () =>
      access(file).then(
        () => true,
        () => false,
      ),
    )
    leaving.abort()
    expect(await gone).toBe('gone')
    await waitUntil('the tool was stopped', async () => (await readFile(file, 'utf8')).includes('stopped'))
    expect((await gateway.api.run('return 1')).value).toBe(1)
  })

  test('keeps values for the next program of its session and agent, and for no other', async () => {
    await gateway.api.run(`await tools.store.set('colour', { name: 'teal' })`, { session: 'paint' })
    const read = `return (await tools.store.get('colour')) ?? null`
    expect((await gateway.api.run(read, { session: 'paint' })).value).toEqual({ name: 'teal' })
    expect((await gateway.api.run(read, { session: 'other' })).value).toBeNull()
    expect((await gateway.api.run(read)).value).toBeNull()
    expect((await stranger.run(read, { session: 'paint' })).value).toBeNull()
  })

  test('that is too large or endless costs itself only', async () => {
    const [loop, big] = await Promise.all([
      gateway.api.run('for (;;);'),
      gateway.api.run(`const all = []; for (;;) all.push(new Array(1e6).fill('x'))`),
    ])
    expect(loop).toMatchObject({ status: 'failed', error: { code: 'timeout' }, telemetry: { worker: 'retired' } })
    expect(big).toMatchObject({ status: 'failed', error: { code: 'memory' } })
    expect((await gateway.api.run('return 1')).value).toBe(1)
  })

  test('with a large value gives a part, and an artifact that holds the rest', async () => {
    const run = await gateway.api.run(`return 'é'.repeat(400000)`)
    expect(run.status).toBe('completed')
    const [artifact] = run.artifacts
    expect(artifact.bytes).toBeGreaterThanOrEqual(800_000)
    let [text, offset] = ['', 0]
    while (offset !== undefined) {
      const { body } = await gateway.api.get(`/v1/artifacts/${artifact.id}?offset=${offset}&bytes=200001`)
      text += body.text
      offset = body.nextOffset
    }
    expect(text).toContain('é'.repeat(400_000))
    expect((await stranger.get(`/v1/artifacts/${artifact.id}`)).status).toBe(404)
  })

  test('refuses a body that it cannot read', async () => {
    for (const bad of [
      {},
      { code: 7 },
      { code: 'x', programme: 1 },
      { code: 'x', agent: 'nobody' },
      { code: 'x', session: '' },
      [],
    ]) {
      const answer = await gateway.api.post('/v1/runs', bad)
      expect([bad, answer.status]).toEqual([bad, 400])
      expect(answer.body.error.message).toMatch(/\w{4}/)
    }
    const broken = await gateway.api.run('return (')
    expect(broken).toMatchObject({ status: 'failed', error: { code: 'program-error', line: 1 } })
  })

  test('waits for a worker in its turn: twenty at once all end', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, (_, n) => gateway.api.run(`return ${n}`)))
    expect(runs.map(({ value }) => value)).toEqual(Array.from({ length: 20 }, (_, n) => n))
  })
})

describe('another tenant', () => {
  test("finds neither this one's runs, sessions nor logs, in the same words as for what never was", async () => {
    const run = await gateway.api.run('return 1')
    await gateway.api.chat('Which invoices are overdue?', {}, { 'x-drawbridge-session': 'private' })
    for (const [method, place] of [
      ['get', `/v1/runs/${run.id}`],
      ['post', `/v1/runs/${run.id}/cancel`],
      ['post', `/v1/runs/${run.id}/replay`],
      ['get', '/v1/sessions/private'],
      ['get', '/v1/sessions/private/log'],
    ] as const) {
      const answer = method === 'get' ? await stranger.get(place) : await stranger.post(place, {})
      expect([place, answer.status, answer.body.error.code]).toEqual([place, 404, 'not_found'])
    }
    expect((await gateway.api.get('/v1/sessions/private')).status).toBe(200)
  })

  test('has a session of its own under the same name', async () => {
    await stranger.chat('Which tickets are open?', {}, { 'x-drawbridge-session': 'private' })
    const { body } = await stranger.get('/v1/sessions/private')
    expect(JSON.stringify(body.messages)).not.toContain('overdue')
  })

  test('with a token for one agent cannot use another, by header, body or model', async () => {
    const denied = [
      await stranger.post('/v1/runs', { code: 'return 1', agent: 'other' }),
      await stranger.get('/v1/tools', { 'x-drawbridge-agent': 'other' }),
      await stranger.chat('hi', { model: 'drawbridge/other' }),
    ]
    for (const { status, body } of denied) expect([status, body.error.code]).toEqual([400, 'unknown_agent'])
    expect((await stranger.get('/v1/models')).body.data).toHaveLength(2)
  })

  test('an explanation is not given for somebody else than was asked for', async () => {
    const { status, body } = await gateway.api.get('/v1/explain?agent=other')
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('x-drawbridge-agent say who asks')])
  })

  test('without the admin scope is told nothing of servers', async () => {
    expect((await stranger.get('/readyz')).status).toBe(403)
  })
})
