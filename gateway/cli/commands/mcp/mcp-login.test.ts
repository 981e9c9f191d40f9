import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { AuthorizationFixture } from '../../../../catalog/sources/mcp/fixtures/authorization-server.ts'
import { serveWithLogin } from '../../../../catalog/sources/mcp/fixtures/authorization-server.ts'
import { byHand } from '../../../../catalog/sources/mcp/fixtures/http-servers.ts'
import type { CliUnderTest, UnderTestOptions } from '../../testing/cli-under-test.ts'
import { cliUnderTest } from '../../testing/cli-under-test.ts'

const calm = byHand((_id, _request, response) => void response.writeHead(202).end())

async function cliFor(server: AuthorizationFixture, options: UnderTestOptions = {}): Promise<CliUnderTest> {
  const cli = await cliUnderTest(options)
  const config = { mcp: { servers: { calendar: { url: server.url }, files: { command: 'npx' } } } }
  await writeFile(path.join(cli.folder, 'drawbridge.json5'), JSON.stringify(config))
  return cli
}

/** A browser on this machine: it agrees, and follows the redirect to the command that waits. */
function browse(url: string): void {
  void fetch(url)
}

test('a login by the browser ends in a sealed file, tells the gateway, and lets the server be used', async () => {
  await using server = await serveWithLogin(calm)
  const cli = await cliFor(server, { isTerminal: true, onOpenUrl: browse, answers: [{ body: {} }] })
  // Made by the gateway at its first start.
  await writeFile(path.join(cli.stateDirectory, 'seal.key'), `${Buffer.alloc(32, 7).toString('base64url')}\n`, {
    mode: 0o600,
  })
  const ended = await cli.run('mcp', 'login', 'calendar')
  expect(ended).toMatchObject({ exitCode: 0, stdout: 'logged in at calendar\n' })
  expect(ended.stderr).toContain(`open this address to log in at ${server.issuer}`)
  expect(ended.stderr).toContain('the gateway connects now')
  expect(cli.requests.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
    ['POST', '/v1/mcp/servers/calendar/reconnect'],
  ])
  const folder = path.join(cli.stateDirectory, 'mcp-logins')
  const [file = ''] = await readdir(folder)
  expect(Buffer.from(await readFile(path.join(folder, file), 'utf8'), 'base64').toString()).not.toContain('access-')
  expect(JSON.stringify(ended)).not.toMatch(/access-|refresh-/)
})

test('without a browser the address that it ends at is pasted, and a wrong one is asked for again', async () => {
  await using server = await serveWithLogin(calm)
  const pasted = Promise.withResolvers<string>()
  const cli = await cliFor(server, {
    lines: async function* () {
      yield 'https://not.it/?code=x&state=y'
      yield await pasted.promise
    },
    onStderr: (text) => {
      const url = /^ {2}(http\S+)$/m.exec(text)?.[1]
      if (url === undefined) return
      void fetch(url, { redirect: 'manual' }).then((response) => pasted.resolve(response.headers.get('location') ?? ''))
    },
  })
  const ended = await cli.run('mcp', 'login', 'calendar', '--no-browser', '--scope', 'read', '--json')
  expect(ended.exitCode).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({ server: 'calendar', scope: 'read', gatewayTold: false })
  expect(ended.stderr).toContain('that is not where this login ends')
  const tested = await cli.run('mcp', 'test', 'calendar', '--json')
  expect(JSON.parse(tested.stdout)).toMatchObject({ ok: true, tools: ['act'] })
  expect(await cli.run('mcp', 'logout', 'calendar')).toMatchObject({ exitCode: 0, stdout: 'logged out at calendar\n' })
  expect(server.revoked).toHaveLength(1)
  expect(await readdir(path.join(cli.stateDirectory, 'mcp-logins'))).toEqual([])
  expect(await cli.run('mcp', 'logout', 'calendar')).toMatchObject({ exitCode: 1 })
  const without = await cli.run('mcp', 'test', 'calendar')
  expect(without.stderr).toContain('needs login; run "drawbridge mcp login calendar"')
})

test('what cannot be logged in at is refused before anybody is bothered', async () => {
  await using server = await serveWithLogin(calm, { hasPkce: false })
  const cli = await cliFor(server)
  for (const [name, exitCode, reason] of [
    ['files', 2, 'is started by a command'],
    ['absent', 1, 'is not configured; there are calendar, files'],
    ['calendar', 1, 'does not offer PKCE'],
  ] as const) {
    const ended = await cli.run('mcp', 'login', name)
    expect([ended.exitCode, ended.stderr]).toEqual([exitCode, expect.stringContaining(reason)])
  }
})

test('the document of a client id names its own address', async () => {
  const cli = await cliUnderTest()
  const url = 'https://example.com/drawbridge.json'
  const printed = await cli.run('mcp', 'client-metadata', url)
  expect(JSON.parse(printed.stdout)).toMatchObject({ client_id: url, redirect_uris: ['http://127.0.0.1/callback'] })
  expect(await cli.run('mcp', 'client-metadata', 'https://example.com')).toMatchObject({ exitCode: 2 })
})
