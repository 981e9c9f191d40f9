import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { FIXTURES, ROOT, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

const MAIN = path.join(ROOT, 'gateway/main.ts')
const INFO = { name: 'e2e', version: '1.0.0' }
const PLUGINS = { paths: [path.join(FIXTURES, 'plugins')], entries: { demo: { enabled: false } } }

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function command(folder: string, ...more: readonly string[]) {
  const { PATH = '', HOME = '' } = process.env
  const args = [MAIN, 'mcp-serve', '--state-dir', path.join(folder, 'state'), ...more]
  return { command: process.execPath, args, cwd: folder, env: { PATH, HOME }, stderr: 'ignore' as const }
}

describe('beside a gateway that runs', () => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await startGateway({
      config: { tools: { toolSearch: false }, agents: { other: { tools: { deny: ['*'] } } }, plugins: PLUGINS },
    })
  })
  afterAll(() => gateway?.remove())

  test.each(['auto', 'legacy'] as const)('a client of the current SDK lists and calls (%s)', async (mode) => {
    const client = new Client(INFO, { versionNegotiation: { mode } })
    closing.push(() => client.close())
    await client.connect(new StdioClientTransport(command(gateway.folder)))
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25')
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('probe__echo')
    const echo = await client.callTool({ name: 'probe__echo', arguments: { text: 'by stdio' } })
    expect(JSON.stringify(echo)).toContain('by stdio')
  })

  test('a client of the first SDK generation lists and calls, as the agent that is named', async () => {
    const client = new OldClient(INFO)
    closing.push(() => client.close())
    await client.connect(new OldTransport(command(gateway.folder)))
    const echo = await client.callTool({ name: 'probe__echo', arguments: { text: 'old' } })
    expect(JSON.stringify(echo)).toContain('old')
    const other = new OldClient(INFO)
    closing.push(() => other.close())
    await other.connect(new OldTransport(command(gateway.folder, '--agent', 'other')))
    expect((await other.listTools()).tools).toEqual([])
  })

  test('the inspector lists and calls', async () => {
    const inspector = path.join(ROOT, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
    const target = [process.execPath, MAIN, 'mcp-serve', '--state-dir', path.join(gateway.folder, 'state')]
    const asked = ['--method', 'tools/call', '--tool-name', 'probe__echo', '--tool-arg', 'text=inspected']
    const stdout = await new Promise<string>((resolve, reject) => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: gateway.folder }
      execFile(
        process.execPath,
        [inspector, '--cli', ...target, ...asked],
        { env, timeout: 60_000 },
        (error, out, err) =>
          error === null ? resolve(out) : reject(new Error(`the inspector failed: ${err}\n${out}`)),
      )
    })
    expect(JSON.stringify(JSON.parse(stdout))).toContain('inspected')
  })

  test('what was asked before stdin ended is answered, and stdout carries the protocol alone', async () => {
    const { stdout, code } = await pipe(gateway.folder, [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: INFO } },
      { method: 'notifications/initialized' },
      'no JSON',
      { id: 2, method: 'tools/call', params: { name: 'probe__echo', arguments: { text: 'piped\u2028\u0085' } } },
    ])
    expect(code).toBe(0)
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(messages.map((message) => message.jsonrpc)).toEqual(['2.0', '2.0', '2.0'])
    expect(messages).toContainEqual(
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_700 }) }),
    )
    expect(JSON.stringify(messages.find((message) => message.id === 2))).toContain('piped\u2028\u0085')
    // Ends of lines to some readers.
    expect(stdout).not.toMatch(/[\u0085\u2028\u2029]/)
  })
})

describe('where no gateway runs', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-stdio-'))
    const config = { gateway: { port: 0 }, tools: { toolSearch: false }, plugins: PLUGINS }
    await writeFile(path.join(folder, 'drawbridge.json5'), JSON.stringify(config))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('one is started; who comes later asks there, and goes on when it has ended', async () => {
    const first = startRaw(folder)
    await first.initialize()
    const second = startRaw(folder)
    await second.initialize()
    expect(JSON.stringify(await second.call('through the first'))).toContain('through the first')
    first.child.stdin?.end()
    await waitUntil('the first has ended', async () => first.child.exitCode !== null)
    expect(first.child.exitCode).toBe(0)
    expect(JSON.stringify(await second.call('by itself'))).toContain('by itself')
  })

  test('a configuration that is wrong is told on stderr, and by the exit code', async () => {
    const broken = await mkdtemp(path.join(tmpdir(), 'drawbridge-stdio-'))
    closing.push(() => rm(broken, { recursive: true, force: true }))
    await writeFile(path.join(broken, 'drawbridge.json5'), '{ tools: { toolSearch: "perhaps" } }')
    const ended = await pipe(broken, [])
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('tools.toolSearch') })
  })
})

interface Raw {
  readonly child: ChildProcess
  initialize(): Promise<unknown>
  call(text: string): Promise<unknown>
}

/** A client that has no SDK to open anything again for it. */
function startRaw(folder: string): Raw {
  const { command: file, args, cwd, env } = command(folder)
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  closing.push(async () => void child.kill('SIGKILL'))
  const waiting = new Map<unknown, (message: unknown) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message: { readonly id?: unknown } = JSON.parse(line)
    waiting.get(message.id)?.(message)
  })
  let id = 0
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (method: string, params: object): Promise<unknown> => {
    id += 1
    const { promise, resolve } = Promise.withResolvers<unknown>()
    waiting.set(id, resolve)
    send({ id, method, params })
    return promise
  }
  return {
    child,
    async initialize() {
      const answer = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: INFO })
      send({ method: 'notifications/initialized' })
      return answer
    },
    call: (text) => ask('tools/call', { name: 'probe__echo', arguments: { text } }),
  }
}

interface Piped {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function pipe(folder: string, messages: readonly (object | string)[]): Promise<Piped> {
  const { command: file, args, cwd, env } = command(folder)
  return new Promise((resolve) => {
    const child = execFile(file, args, { cwd, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    )
    const lines = messages.map((message) =>
      typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }),
    )
    child.stdin?.end(lines.join('\n'))
  })
}
