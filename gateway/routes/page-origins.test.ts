import { expect, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { gatewayInProcess } from '../testing/gateway-in-process.ts'
import { isListedOrigin } from '../http/origin-headers.ts'

const CHAT = 'https://chat.example.com'
const DEV = 'http://localhost:5173'

async function aGateway(origins: readonly string[]) {
  const { gateway, admin, ask } = await gatewayInProcess({ config: configOf(origins) })
  const preflight = async (url: string, origin: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await gateway.app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, host: 'localhost', 'access-control-request-method': 'POST', ...headers },
    })
    return { status: response.statusCode, headers: response.headers, text: response.body }
  }
  const apply = async (next: readonly string[]): Promise<void> => {
    const read = await readConfig(configOf(next), { env: {}, directory: '/' })
    if (read.kind === 'read') await gateway.apply(read)
  }
  const allowed = async (url: string, origin: string, token = admin): Promise<unknown> =>
    (await ask(token, { url, headers: { origin } })).headers['access-control-allow-origin']
  return { preflight, apply, allowed, ask, admin }
}

const configOf = (origins: readonly string[]): string => JSON.stringify({ gateway: { cors: { origins } } })

test('by default no page may use the gateway, and its browser is told which setting would let it', async () => {
  const { preflight, allowed, ask, admin } = await aGateway([])
  for (const url of ['/v1/chat/completions', '/mcp', '/mcp/servers/files']) {
    const { status, headers, text } = await preflight(url, CHAT)
    expect([url, status, headers['access-control-allow-origin']]).toEqual([url, 403, undefined])
    expect(text).toContain('gateway.cors.origins')
  }
  expect(await allowed('/v1/models', CHAT)).toBeUndefined()
  // Clients that are no page say an origin too, and are served as before.
  expect((await ask(admin, { url: '/v1/models', headers: { origin: 'app://other' } })).status).toBe(200)
})

test('a listed page asks without a token, and may read every answer, errors among them', async () => {
  const { preflight, allowed, ask, admin } = await aGateway([CHAT, DEV])
  for (const url of ['/v1/chat/completions', '/v1/runs/x/cancel', '/mcp', '/mcp/servers/files']) {
    const { status, headers } = await preflight(url, CHAT, {
      'access-control-request-headers': 'X-Stainless-OS, mcp-param-region,bad name,',
    })
    expect([url, status, headers['access-control-allow-origin'], headers['vary']]).toEqual([url, 204, CHAT, 'origin'])
    expect(headers['access-control-allow-headers']).toMatch(/authorization.*x-stainless-os, mcp-param-region$/)
    expect(headers['access-control-allow-methods']).toBe('GET, POST, DELETE')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  }
  for (const url of ['/v1/models', '/v1/nowhere', '//v1/models', '/mcp', '/mcp/servers/files']) {
    expect([url, await allowed(url, DEV)]).toEqual([url, DEV])
    expect([url, await allowed(url, CHAT, 'wrong')]).toEqual([url, CHAT])
    expect([url, await allowed(url, 'https://other.example')]).toEqual([url, undefined])
  }
  const { headers } = await ask(admin, { url: '/v1/models', headers: { origin: DEV } })
  expect(headers['access-control-expose-headers']).toMatch(/mcp-session-id.*x-request-id/)
  expect((await ask(admin, { url: '/v1/models' })).headers).not.toHaveProperty('access-control-allow-origin')
  expect(await allowed('/metrics', CHAT)).toBeUndefined()
  // What no page asks is no question beforehand, but a route that is not there.
  const asked = { url: '/v1/models', method: 'OPTIONS' } as const
  expect(await ask(admin, asked)).toMatchObject({ status: 404, text: expect.stringContaining('did you mean GET') })
})

test('the list that is in force decides, from the next request on', async () => {
  const { preflight, apply, allowed } = await aGateway([])
  const states = async () => {
    const asked = [await preflight('/v1/models', CHAT), await preflight('/mcp', CHAT)]
    return [...asked.map(({ status }) => status), await allowed('/v1/models', CHAT)]
  }
  expect(await states()).toEqual([403, 403, undefined])
  await apply([CHAT])
  expect(await states()).toEqual([204, 204, CHAT])
  await apply([DEV])
  expect(await states()).toEqual([403, 403, undefined])
})

test.each([
  ['https://chat.example.com', 'https://chat.example.com', true],
  ['https://chat.example.com', 'https://Chat.Example.com:443', true],
  ['chrome-extension://abcdef', 'chrome-extension://abcdef', true],
  ['app://obsidian.md', 'app://obsidian.md', true],
  ['http://chat.example.com', 'https://chat.example.com', false],
  ['https://chat.example.com:8443', 'https://chat.example.com', false],
  ['https://chat.example.com.evil.example', 'https://chat.example.com', false],
  ['https://evil-chat.example.com', 'https://chat.example.com', false],
  ['https://chat.example.com@evil.example', 'https://chat.example.com', false],
  ['https://evil.example/https://chat.example.com', 'https://chat.example.com', false],
  ['chrome-extension://abcdef', 'chrome-extension://other', false],
  ['null', 'app://obsidian.md', false],
  ['', 'https://chat.example.com', false],
  [undefined, 'https://chat.example.com', false],
])('a page of %j where %j is listed: %j', (origin, listed, isListed) => {
  expect(isListedOrigin(origin, [listed])).toBe(isListed)
})

test.each(['*', 'https://*.example.com', 'chat.example.com', 'https://chat.example.com/', 'null', 'https://a@b', ''])(
  '%j cannot be listed, and the error says what can',
  async (origin) => {
    const read = await readConfig(configOf([origin]), { env: {}, directory: '/' })
    expect(read.kind).toBe('invalid')
    expect(JSON.stringify(read)).toContain('without a path and without')
  },
)
