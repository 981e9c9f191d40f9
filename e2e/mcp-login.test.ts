import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthorizationFixture } from '../catalog/sources/mcp/fixtures/authorization-server.ts'
import { serveWithLogin } from '../catalog/sources/mcp/fixtures/authorization-server.ts'
import { byHand } from '../catalog/sources/mcp/fixtures/http-servers.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { ROOT, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let server: AuthorizationFixture
let gateway: GatewayProcess

beforeAll(async () => {
  server = await serveWithLogin(
    byHand((id, _request, response) => {
      const result = { content: [{ type: 'text', text: 'the calendar is empty' }] }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }),
  )
  const inside = { url: 'http://127.0.0.9:9/mcp' }
  gateway = await startGateway({
    config: { mcp: { servers: { calendar: { url: server.url }, inside }, forbiddenAddresses: ['127.0.0.9'] } },
  })
})

afterAll(async () => {
  await gateway?.remove()
  await server?.[Symbol.asyncDispose]()
})

async function state(): Promise<{ readonly kind: string; readonly needs?: string; readonly reason?: string }> {
  const { servers } = (await gateway.api.get('/v1/mcp/servers')).body
  return servers[0].state
}

/** Runs the command as a person on a machine without a browser does: opens what it prints elsewhere. */
async function logIn(): Promise<number | null> {
  const args = ['gateway/main.ts', 'mcp', 'login', 'calendar', '--no-browser']
  const { stateDir: DRAWBRIDGE_STATE_DIR, configFile: DRAWBRIDGE_CONFIG, token: DRAWBRIDGE_TOKEN } = gateway
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, DRAWBRIDGE_STATE_DIR, DRAWBRIDGE_CONFIG, DRAWBRIDGE_TOKEN },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /^ {2}(http\S+)$/.exec(line)?.[1]
    // Follows the redirect, to the port of this machine that the command listens on.
    if (address !== undefined) await fetch(address)
  }
  const [code] = await ended
  return code
}

test('a server that needs a login is used after one, over a restart too, and no token is left in the open', async () => {
  await waitUntil('the server asks for a login', async () => (await state()).needs === 'login')
  expect((await state()).reason).toBe('needs login; run "drawbridge mcp login calendar"')
  const listed = await gateway.cli('mcp', 'list')
  expect(listed.stdout).toContain('calendar  needs login')
  expect((await gateway.api.search('act')).notes.join('\n')).toContain('1 server waiting for a login: calendar')

  expect(await logIn()).toBe(0)
  await waitUntil('the server is ready', async () => (await state()).kind === 'ready')
  expect((await gateway.api.call('mcp:calendar:act', {})).body.value).toBe('the calendar is empty')

  await gateway.stop()
  gateway = await startGateway({ folder: gateway.folder })
  await waitUntil('the server is ready again', async () => (await state()).kind === 'ready')
  server.expireAccess()
  expect((await gateway.api.call('mcp:calendar:act', {})).body.value).toBe('the calendar is empty')
  expect(server.authorizations).toHaveLength(1)
  expect(await filesWith(gateway.stateDir, /access-|refresh-/)).toEqual([])

  expect((await gateway.cli('mcp', 'logout', 'calendar')).code).toBe(0)
  await waitUntil('the server asks again', async () => (await state()).needs === 'login')
  expect(server.revoked).toHaveLength(1)
})

test('an address that the configuration forbids is never connected to', async () => {
  const { servers } = (await gateway.api.get('/v1/mcp/servers')).body
  expect(servers[1].state).toMatchObject({ kind: 'down', reason: 'address 127.0.0.9 is forbidden' })
})

async function filesWith(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  // The gateway runs: a file that it writes anew has another name until it is whole, and is read under its own.
  const textOf = (file: string): Promise<string> =>
    readFile(file, 'latin1').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && file.endsWith('.tmp')) return ''
      throw error
    })
  const texts = await Promise.all(files.map(async (file) => [file, await textOf(file)] as const))
  return texts.filter(([, text]) => pattern.test(text)).map(([file]) => file)
}
