import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, startGateway } from './testing/gateway-process.ts'

let gateway: GatewayProcess

beforeAll(async () => {
  const odd = { command: process.execPath, args: [`${FIXTURES}/servers/odd.mjs`] }
  gateway = await startGateway({ config: { plugins: { paths: [`${FIXTURES}/plugins`] }, mcp: { servers: { odd } } } })
})

afterAll(async () => {
  expect(await gateway?.stop()).toBe(0)
  await gateway?.remove()
})

/** Whatever a client sent, the next one is served, and nothing was a defect. */
afterEach(async () => {
  expect((await gateway.api.run('return 1')).value).toBe(1)
  expect(gateway.output()).not.toContain('defect')
})

const LEVELS = 100_000
const nests = { lists: ['[', ']'], objects: ['{"a":', '}'] } as const
const deep = ([open, close]: readonly [string, string]): string => `${open.repeat(LEVELS)}1${close.repeat(LEVELS)}`

const CHAT = '/v1/chat/completions'
const chatWith = (message: string, more = ''): string =>
  `{"model":"drawbridge","user":"deep","messages":[${message}]${more}}`
const SAID = '{"role":"user","content":"hi"}'

/** Every place of every POST route that takes JSON. */
const places: readonly (readonly [string, (nest: string) => string])[] = [
  ['/v1/runs', (nest) => nest],
  ['/v1/runs', (nest) => `{"code":${nest}}`],
  ['/v1/runs', (nest) => `{"code":"return 1","session":${nest}}`],
  ['/v1/runs/run_x/replay', (nest) => `{"until":${nest}}`],
  ['/v1/runs/run_x/cancel', (nest) => nest],
  ['/v1/tools/search', (nest) => nest],
  ['/v1/tools/search', (nest) => `{"query":"x","filter":${nest}}`],
  ['/v1/tools/search', (nest) => `{"queries":[${nest}]}`],
  ['/v1/tools/plugin:probe:echo/call', (nest) => `{"args":${nest}}`],
  ['/v1/tools/plugin:probe:echo/call', (nest) => `{"args":{"text":${nest}}}`],
  ['/v1/tools/mcp:odd:tell_secret/call', (nest) => `{"args":{"any":${nest}}}`],
  [CHAT, (nest) => nest],
  [CHAT, (nest) => chatWith(nest)],
  [CHAT, (nest) => chatWith(`{"role":"user","content":[{"type":"text","text":"hi","more":${nest}}]}`)],
  [CHAT, (nest) => chatWith(SAID, `,"metadata":${nest}`)],
  [CHAT, (nest) => chatWith(SAID, `,"tool_choice":${nest}`)],
  [CHAT, (nest) => chatWith(SAID, `,"stream":true,"stream_options":${nest}`)],
  [CHAT, (nest) => chatWith(SAID, `,"tools":[{"type":"function","function":{"name":"a","parameters":${nest}}}]`)],
]

describe.each(Object.keys(nests))('%s that nest a hundred thousand levels deep', (kind) => {
  test.each(places)('in %s are refused at once (%#)', async (place, bodyOf) => {
    const body = bodyOf(deep(kind === 'lists' ? nests.lists : nests.objects))
    const answer = await gateway.api.post(place, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(/levels deep/),
    })
  })
})

describe('prototype keys', () => {
  const bodies: readonly (readonly [string, string])[] = [
    ['/v1/runs', '{"code":"return 1","__proto__":{"agent":"x"}}'],
    ['/v1/runs', '{"code":"return 1","constructor":{"prototype":{"polluted":1}}}'],
    ['/v1/tools/search', '{"query":"x","__proto__":{"limit":3}}'],
    ['/v1/tools/plugin:probe:echo/call', '{"args":{"text":"x","__proto__":{"polluted":1}}}'],
    ['/v1/tools/mcp:odd:tell_secret/call', '{"args":{"constructor":{"prototype":{"polluted":1}}}}'],
    [CHAT, chatWith(SAID, ',"__proto__":{"polluted":1}')],
  ]
  test.each(bodies)('in a body of %s are refused (%#)', async (place, body) => {
    const { status, text } = await gateway.api.post(place, body)
    expect([status, text]).toEqual([400, expect.stringMatching(/__proto__|constructor|prototype/)])
    expect((await gateway.api.run('return ({}).polluted ?? null')).value).toBeNull()
  })
})

describe('ids that are no ids', () => {
  const ids = [
    '..',
    '../..',
    '..%2f..%2ftokens',
    '%2e%2e%2f',
    '....//',
    '%00',
    '__proto__',
    'a'.repeat(5_000),
    '%E2%80%AE',
    "'; DROP TABLE runs; --",
  ]
  const routes = ['/v1/tools/', '/v1/runs/', '/v1/sessions/', '/v1/artifacts/', '/v1/models/']
  test.each(routes)('under %s are not found', async (route) => {
    for (const id of ids) {
      const answer = await gateway.api.get(`${route}${encodeURIComponent(decodeURIComponent(id))}`)
      expect([id, answer.status >= 400 && answer.status < 500]).toEqual([id, true])
      expect(answer.body.error).toMatchObject({ message: expect.any(String), code: expect.any(String) })
    }
  })

  test.each(['/v1/tools/%ff', '/v1/runs/%E0%A4%A', '/%', '/v1/tools/%/call'])(
    'a path that cannot be decoded, %s, has the form of every error',
    async (place) => {
      const { status, body, headers } = await gateway.api.get(place)
      expect([status, body.error]).toEqual([
        400,
        expect.objectContaining({ type: 'invalid_request_error', code: 'invalid_request' }),
      ])
      expect(headers.get('x-request-id')).toMatch(/^req_/)
    },
  )

  test('paths, methods and types that are not there', async () => {
    const answers = await Promise.all([
      fetch(`${gateway.url}/v1/runs`, { method: 'DELETE' }),
      fetch(`${gateway.url}//etc/passwd`),
      fetch(`${gateway.url}/v1/runs`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data' },
        body: 'x',
      }),
      fetch(`${gateway.url}/v1/runs`, { method: 'POST', headers: { authorization: `Bearer ${gateway.token}` } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 415, 400])
    for (const answer of answers) expect(await answer.json()).toMatchObject({ error: { code: expect.any(String) } })
  })
})

describe('sizes', () => {
  test('a body over the limit is refused with 413, before it is read whole', async () => {
    const big = `{"code":"${'x'.repeat(3 * 1024 * 1024)}"}`
    const direct = await gateway.api.post('/v1/runs', big)
    expect([direct.status, direct.body.error.code]).toEqual([413, 'body_too_large'])
    const chat = await sendWithLength(CHAT, 21 * 1024 * 1024)
    expect(chat).toEqual([413, 'body_too_large'])
  })

  test('a chat of nearly 20 MB is served', async () => {
    const content = 'Which invoices are overdue? '.padEnd(19 * 1024 * 1024, 'x')
    expect((await gateway.api.chat(content)).status).toBe(200)
  })

  test('a program of more than 256 KB is refused with its limit', async () => {
    const run = await gateway.api.run(`return 1 // ${'x'.repeat(300_000)}`)
    expect(JSON.stringify(run)).toMatch(/262144|256/)
    expect(run.status).not.toBe('completed')
  })

  test('fifty thousand messages, tools or queries are served or refused, and nobody waits for them long', async () => {
    const many = <T>(value: T): readonly T[] => Array.from({ length: 50_000 }, () => value)
    const search = await gateway.api.post('/v1/tools/search', { queries: many('x') })
    expect(search.status).toBe(400)
    const chat = await gateway.api.post(CHAT, { model: 'drawbridge', messages: many({ role: 'user', content: 'x' }) })
    expect(chat.status).toBe(200)
    const tools = many(0).map((_, n) => ({ type: 'function', function: { name: `t${n}` } }))
    const refused = await gateway.api.chat('hi', { tools })
    expect([refused.status, refused.body.error.param]).toEqual([400, 'tools'])
    expect((await gateway.api.chat('hi', { tools: tools.slice(0, 2_000) })).status).toBe(200)
  })

  test('a session that is given thousands of steps at once goes on', async () => {
    const steps = Array.from({ length: 3_000 }, (_, n) => ({ role: 'assistant', content: `step ${n}` }))
    const messages = [{ role: 'user', content: 'x' }, ...steps, { role: 'user', content: 'y' }]
    const headers = { 'x-drawbridge-session': 'many-steps' }
    expect((await gateway.api.post(CHAT, { model: 'drawbridge', messages }, { headers })).status).toBe(200)
    const more = [...messages, { role: 'assistant', content: 'never said' }, { role: 'user', content: 'z' }]
    expect((await gateway.api.post(CHAT, { model: 'drawbridge', messages: more }, { headers })).status).toBe(200)
  })

  test('ten thousand headers are refused', async () => {
    const headers = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`x-header-${n}`, 'value']))
    const status = await new Promise((resolve) => {
      const asked = request(`${gateway.url}/healthz`, { headers }, (response) => resolve(response.resume().statusCode))
      asked.on('error', () => resolve('refused'))
      asked.end()
    })
    expect([431, 'refused']).toContain(status)
  })

  test('a session name that is too long is refused, by header, body and user', async () => {
    const long = 's'.repeat(257)
    const answers = [
      await gateway.api.post('/v1/runs', { code: 'return 1' }, { headers: { 'x-drawbridge-session': long } }),
      await gateway.api.post('/v1/runs', { code: 'return 1', session: long }),
      await gateway.api.chat('hi', { user: long }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
  })
})

describe('odd bytes', () => {
  test.each(['\u00e9\u00ff', '../../x', '%00', "'; DROP TABLE sessions; --", '__proto__', '{"a":1}', '\u0080'])(
    'a session named %j is a session like any other',
    async (session) => {
      const headers = { 'x-drawbridge-session': session }
      expect((await gateway.api.chat('Which invoices are overdue?', {}, headers)).status).toBe(200)
      const kept = await gateway.api.post('/v1/runs', { code: `await tools.store.set('k', 1)` }, { headers })
      expect(kept.body.status).toBe('completed')
      const shown = await gateway.api.get(`/v1/sessions/${encodeURIComponent(session)}`)
      expect([shown.status, shown.body.id]).toEqual([200, session])
    },
  )

  test('bytes that are no HTTP are refused, and the socket is closed', async () => {
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\nx-a: b\u0000c\r\n\r\n',
      '\u0016\u0003\u0001\u0000',
    ]) {
      expect(await sendRaw(`${bytes}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
    }
  })

  test('text that is no Unicode is taken as it can be', async () => {
    const { body } = await gateway.api.post('/v1/tools/plugin:probe:echo/call', '{"args":{"text":"\\ud800 \\u0000"}}')
    expect(body.outcome).toBe('ok')
    const lone = await gateway.api.chat('\ud800 which invoices are overdue?', {}, { 'x-drawbridge-session': 'lone' })
    expect(lone.status).toBe(200)
  })
})

/** Announces so many bytes and sends none: what is refused by its length is refused at once. */
function sendWithLength(place: string, bytes: number): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': bytes,
      authorization: `Bearer ${gateway.token}`,
    }
    const asked = request(`${gateway.url}${place}`, { method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => {
        resolve([response.statusCode, JSON.parse(text).error.code])
        asked.destroy()
      })
    })
    asked.on('error', reject)
    asked.write('{')
  })
}

function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
    let answer = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer += chunk
    })
    socket.once('close', () => resolve(answer))
    socket.once('error', reject)
  })
}
