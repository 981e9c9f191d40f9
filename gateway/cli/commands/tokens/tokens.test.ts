import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStateDirectory } from '../../../state/state-dir.ts'
import { readTokenFile } from '../../../state/tokens/token-file.ts'
import { openTokens } from '../../../state/tokens/tokens.ts'
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts'
import type { CliUnderTest } from '../../testing/cli-under-test.ts'
import { cliUnderTest } from '../../testing/cli-under-test.ts'

describe('tokens over the running gateway', () => {
  const view = { id: 'tok_1', name: 'bot', tenant: 'acme', scopes: ['chat'], agents: ['a', 'b'], createdMs: 0 }
  test('create asks with the admin token and prints the new one alone', async () => {
    const made = { ...view, token: 'db_new' }
    const { run, requests } = await cliUnderTest({
      answers: [
        { status: 201, body: made },
        { status: 201, body: made },
      ],
    })
    const argv = ['tokens', 'create', 'bot', '--tenant', 'acme', '--scopes', 'chat, tools', '--agents', 'a,b']
    expect(await run(...argv)).toEqual({
      exitCode: 0,
      stdout: 'db_new\n',
      stderr: 'token "bot" of tenant "acme" with chat; shown this once\n',
    })
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer db_admin')
    expect(requests[0]?.body).toEqual({ name: 'bot', tenant: 'acme', scopes: ['chat', 'tools'], agents: ['a', 'b'] })
    expect(JSON.parse((await run('tokens', 'create', 'bot', '--json')).stdout)).toEqual(made)
    expect(requests[1]?.body).toEqual({ name: 'bot', tenant: 'default', scopes: ['chat', 'tools'] })
  })
  test('a saved token is shown later, beside those of the first start', async () => {
    const { run } = await cliUnderTest({ answers: [{ status: 201, body: { ...view, token: 'db_new' } }] })
    expect((await run('tokens', 'create', 'bot', '--save')).stderr).toContain('kept for "tokens show"')
    expect((await run('tokens', 'show', 'bot')).stdout).toBe('db_new\n')
    expect((await run('tokens', 'show')).stdout).toBe('db_chat\n')
  })
  test('list prints a line for each, revoke finds one by id or by name', async () => {
    const tokens = [view, { ...view, id: 'tok_2', name: 'old', agents: undefined, revokedMs: 86_400_000 }]
    const revoked = { ...view, revokedMs: 1 }
    const { run, requests } = await cliUnderTest({
      answers: [{ body: { tokens } }, { body: { tokens } }, { body: revoked }, { body: { tokens } }],
    })
    expect(await run('tokens', 'list')).toEqual({
      exitCode: 0,
      stdout:
        'tok_1  acme/bot  chat  a,b         made 1970-01-01\ntok_2  acme/old  chat  all agents  revoked 1970-01-02\n',
      stderr: '2 tokens\n',
    })
    expect((await run('tokens', 'revoke', 'bot')).stdout).toBe('revoked tok_1 (bot)\n')
    expect(requests[2]).toMatchObject({ method: 'POST', url: 'http://127.0.0.1:8790/v1/tokens/tok_1/revoke' })
    expect(await run('tokens', 'revoke', 'old')).toMatchObject({
      exitCode: 1,
      stderr: 'error: there is no token "old"; "tokens list" shows all\n',
    })
  })
  test('a name that several tenants have is refused with their ids', async () => {
    const tokens = [view, { ...view, id: 'tok_2', tenant: 'rival' }]
    const { run, requests } = await cliUnderTest({
      answers: [{ body: { tokens } }, { body: { tokens } }, { body: view }],
    })
    expect((await run('tokens', 'revoke', 'bot')).stderr).toBe(
      'error: 2 tokens are called "bot"; name one by id or --tenant (acme: tok_1, rival: tok_2)\n',
    )
    expect((await run('tokens', 'revoke', 'bot', '--tenant', 'rival')).exitCode).toBe(0)
    expect(requests.at(-1)?.url).toContain('tok_2/revoke')
  })
  test('what the gateway refuses is said', async () => {
    const error = { message: 'tenant "default" has a token "bot" already', type: 'conflict_error', code: 'conflict' }
    const { run } = await cliUnderTest({ answers: [{ status: 409, body: { error } }] })
    expect(await run('tokens', 'create', 'bot')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: ${error.message}\n`,
    })
  })
})

describe('tokens of a gateway that does not run', () => {
  test('are made on its store, after those of the first start, and work', async () => {
    const under = await cliUnderTest()
    const token = (await under.run('tokens', 'create', 'bot', '--tenant', 'acme')).stdout.trim()
    await withTokens(under, async (tokens) => {
      expect(tokens.made).toEqual([])
      expect(await tokens.authenticate(token)).toMatchObject({ name: 'bot', tenant: 'acme', scopes: ['chat', 'tools'] })
    })
    expect((await under.run('tokens', 'list')).stdout).toMatch(
      /default\/chat .*\n.*default\/admin .*\n.*acme\/bot +chat,tools +all agents/,
    )
    expect((await readFile(path.join(under.stateDirectory, 'drawbridge.db'))).includes(token)).toBe(false)
  })
  test('are revoked there; the plain text that was kept goes too', async () => {
    const under = await cliUnderTest()
    const token = (await under.run('tokens', 'create', 'bot', '--save')).stdout.trim()
    expect((await under.run('tokens', 'revoke', 'bot')).exitCode).toBe(0)
    await withTokens(under, async (tokens) => expect(await tokens.authenticate(token)).toBeUndefined())
    expect(Object.keys(await readTokenFile(under.stateDirectory))).toEqual(['chat', 'admin'])
    expect((await under.run('tokens', 'revoke', 'admin')).stderr).toBe(
      'error: token "admin" is the last admin token; create another one first\n',
    )
  })
  test('are in the store that the configuration names, even where the rest of it cannot be used here', async () => {
    const under = await cliUnderTest()
    await under.run('config', 'set', 'store.url', 'sqlite:elsewhere.db')
    await under.run(
      'config',
      'set',
      'models.providers.p',
      '{ api: "openai-chat", baseUrl: "https://x", apiKey: "${NONE}" }',
    )
    await under.run('tokens', 'create', 'bot')
    const store = await openSqliteStore(path.join(under.stateDirectory, 'elsewhere.db'))
    expect((await store.listTokens()).map(({ name }) => name)).toEqual(['chat', 'admin', 'bot'])
    await store.close()
  })
  test('that was never started are none, and listing them makes no store', async () => {
    const { run, stateDirectory } = await cliUnderTest()
    const file = path.join(stateDirectory, 'drawbridge.db')
    const message = `there is no store "${file}"; start the gateway once, or name its --state-dir`
    expect(await run('tokens', 'list')).toEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` })
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })
  test('with scopes that are none are asked for wrongly, and no store is made for them', async () => {
    const { run, stateDirectory } = await cliUnderTest()
    const refused = async (scopes: string) => run('tokens', 'create', 'bot', '--scopes', scopes)
    expect(await refused('chat,all')).toMatchObject({
      exitCode: 2,
      stderr: 'error: --scopes: there is no scope "all"; there are chat, tools, approvals, admin\n',
    })
    expect(await refused('')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('there is no scope ""') })
    await expect(readFile(path.join(stateDirectory, 'drawbridge.db'))).rejects.toThrow('ENOENT')
  })
  test('are not touched while a gateway is only starting', async () => {
    const { run, stateDirectory } = await cliUnderTest()
    const starting = await openStateDirectory(stateDirectory, { pid: 1, nowMs: 1 })
    expect((await run('tokens', 'create', 'bot')).stderr).toMatch(/is still starting; try again$/m)
    await starting.close()
  })
})

async function withTokens(
  { stateDirectory }: CliUnderTest,
  check: (tokens: Awaited<ReturnType<typeof openTokens>>) => Promise<void>,
): Promise<void> {
  const store = await openSqliteStore(path.join(stateDirectory, 'drawbridge.db'))
  await check(await openTokens({ store, stateDirectory, nowMs: 1 }))
  await store.close()
}
