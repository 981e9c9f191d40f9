import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config/read-config.ts'
import { checkProviders } from './check-providers.ts'
import type { DoctorFinding } from './doctor-finding.ts'

const KEY = 'sk-secret-secret-secret'

test('a provider that takes its key is fine, and is asked for its models alone', async () => {
  const upstream = await aProvider(() => ({ status: 200, body: { data: [{ id: 'm' }] } }))
  expect(await check(upstream.url, 'm')).toEqual([
    { check: 'provider', level: 'ok', message: 'p answers and takes its key' },
  ])
  expect(upstream.seen).toEqual(['GET /v1/models Bearer sk-secret-secret-secret'])
})

test.each<readonly [number, DoctorFinding['level'], string, string | undefined]>([
  [401, 'problem', 'p: it refuses the key (401)', 'set models.providers.p.apiKey'],
  [403, 'problem', 'p: it refuses the key (403)', 'set models.providers.p.apiKey'],
  [404, 'ok', 'p answers (404), without a list of models; its key was not tried', undefined],
  [429, 'ok', 'p answers (429), without a list of models; its key was not tried', undefined],
  [
    500,
    'warning',
    'p: it answers 500 where its models are listed',
    'check models.providers.p.baseUrl, or ask again later',
  ],
  [
    302,
    'warning',
    'p: it answers 302 where its models are listed',
    'check models.providers.p.baseUrl, or ask again later',
  ],
])('one that answers %i is told as a %s', async (...[status, level, message, fix]) => {
  const upstream = await aProvider(() => ({ status, body: { error: { message: `wrong key ${KEY}` } } }))
  expect(await check(upstream.url, 'm')).toEqual([{ check: 'provider', level, message, ...(fix && { fix }) }])
  expect(upstream.seen).toHaveLength(1)
})

test('one that wants a key where none is set says so', async () => {
  const upstream = await aProvider(() => ({ status: 401, body: {} }))
  const [finding] = await check(upstream.url, 'm', '')
  expect(finding?.message).toBe('p: it asks for a key, and none is set (401)')
})

test('a model that it does not list is a warning, with the nearest that it has', async () => {
  const upstream = await aProvider(() => ({ status: 200, body: { data: [{ id: 'qwen3' }] } }))
  expect(await check(upstream.url, 'qwen33')).toEqual([
    {
      check: 'provider',
      level: 'warning',
      message: 'p: model "qwen33" is not in its list; did you mean "qwen3"?',
      fix: 'name a model that it has',
    },
  ])
})

test('an answer in another form says nothing of models', async () => {
  const upstream = await aProvider(() => ({ status: 200, body: 'hello' }))
  expect((await check(upstream.url, 'm'))[0]?.level).toBe('ok')
})

test('one that is not there is a problem', async () => {
  const upstream = await aProvider(() => ({ status: 200, body: {} }))
  await upstream.close()
  expect(await check(upstream.url, 'm')).toEqual([
    {
      check: 'provider',
      level: 'problem',
      message: `p: ${upstream.url} cannot be reached (ECONNREFUSED)`,
      fix: 'check models.providers.p.baseUrl, and what runs there',
    },
  ])
})

test('without a provider that is said', async () => {
  const loaded = await readConfig('{}', { env: {}, directory: '/' })
  const [finding] = await checkProviders({ loaded: { ...loaded, source: undefined }, deps: { fetch } })
  expect(finding).toMatchObject({ level: 'ok', message: expect.stringContaining('none is configured') })
})

async function check(url: string, model: string, apiKey = KEY): Promise<readonly DoctorFinding[]> {
  const provider = { api: 'openai-chat', baseUrl: `${url}/v1/`, ...(apiKey !== '' && { apiKey }) }
  const text = JSON.stringify({ models: { default: `p/${model}`, providers: { p: provider } } })
  const loaded = await readConfig(text, { env: {}, directory: '/' })
  return checkProviders({ loaded: { ...loaded, source: undefined }, deps: { fetch } })
}

async function aProvider(answer: () => { readonly status: number; readonly body: unknown }) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    const { status, body } = answer()
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, seen, close }
}
