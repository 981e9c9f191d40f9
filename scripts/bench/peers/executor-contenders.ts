import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Contender, StartedEngine } from './contender.ts'
import { postJson } from './post-json.ts'
import { startService } from './start-service.ts'

interface ExecutorOptions {
  /** Where `node_modules/executor` stands. */
  readonly installation: string
  readonly version: string
  /** For its home and its database; the caller removes it. */
  readonly folder: string
  readonly toolServer: string
}

/**
 * The `executor` daemon with the tool server as an MCP integration and, for calls, also as an OpenAPI one: it opens a
 * new MCP session for each call, so the second is its shorter way to a tool.
 */
export async function startExecutor(options: ExecutorOptions): Promise<StartedEngine> {
  const { installation, folder, toolServer, version } = options
  await mkdir(folder, { recursive: true })
  const token = randomBytes(24).toString('hex')
  const launcher = path.join(installation, 'node_modules/executor/bin/executor')
  const flags = ['--foreground', '--hostname', '127.0.0.1', '--port', '0', '--auth-token', token]
  const daemon = await startService({
    name: 'executor',
    args: [launcher, 'daemon', 'run', ...flags],
    cwd: folder,
    env: environment(folder),
    readAddress: readReady,
  })
  const execute = async (code: string): Promise<unknown> =>
    readResult(await postJson(`${daemon.address}/api/executions`, token, { code }))
  try {
    await addIntegrations((route, body) => postJson(`${daemon.address}/api${route}`, token, body), toolServer)
  } catch (error) {
    await daemon.stop()
    throw error
  }
  const engine = { engine: 'executor', version, execute }
  const contenders: readonly Contender[] = [
    { ...engine, tool: 'mcp-http', programs: { ...WITHOUT_CALLS, ...callPrograms(MCP_CALL) } },
    { ...engine, tool: 'openapi', programs: callPrograms(OPENAPI_CALL) },
  ]
  return { contenders, stop: () => daemon.stop() }
}

/** Nothing of the shell's own, a home that goes with the bench, and no request to its makers. */
function environment(folder: string): Record<string, string> {
  const own = ['PATH', 'TMPDIR', 'SystemRoot'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(own),
    HOME: folder,
    USERPROFILE: folder,
    EXECUTOR_DATA_DIR: path.join(folder, 'data'),
    DO_NOT_TRACK: '1',
    EXECUTOR_DISABLE_INTEGRATIONS_FETCH: '1',
  }
}

/** It names `localhost`, which may mean an address that it does not listen on. */
function readReady(line: string): string | undefined {
  const port = /^Daemon ready on http:\/\/[^:]+:(\d+)$/.exec(line)?.[1]
  return port === undefined ? undefined : `http://127.0.0.1:${port}`
}

async function addIntegrations(
  post: (route: string, body: object) => Promise<object>,
  toolServer: string,
): Promise<void> {
  const mcp = { transport: 'remote', endpoint: `${toolServer}/mcp`, remoteTransport: 'streamable-http' }
  await post('/mcp/servers', { ...mcp, name: 'bench', slug: 'bench', auth: { kind: 'none' } })
  const spec = { kind: 'url', url: `${toolServer}/openapi.json` }
  await post('/openapi/specs', { spec, slug: 'plain', baseUrl: toolServer })
  for (const integration of ['bench', 'plain'])
    await post('/connections', { owner: 'org', name: 'main', integration, template: 'none', values: {} })
}

const WITHOUT_CALLS = {
  'return-1': 'return 1',
  search: `const found = await tools.search({ query: 'echo a text', limit: 5 })
return found.items[0].name`,
} as const

const MCP_CALL = {
  call: (text: string) => `await tools.bench.org.main.echo({ text: ${text} })`,
  read: 'answer.data.content[0].text',
}
const OPENAPI_CALL = {
  call: (text: string) => `await tools.plain.org.main.repeat.getOperation({ text: ${text} })`,
  read: 'answer.data.text',
}

function callPrograms({ call, read }: typeof MCP_CALL): Contender['programs'] {
  return {
    'one-call': `const answer = ${call("'hello'")}
return ${read}`,
    'twenty-calls': `let answer
for (let i = 0; i < 20; i++) answer = ${call("'hello ' + i")}
return ${read}`,
  }
}

function readResult(answer: object): unknown {
  const structured: unknown = 'structured' in answer ? answer.structured : undefined
  const isRun = typeof structured === 'object' && structured !== null && 'result' in structured
  if (isRun && 'isError' in answer && answer.isError === false) return structured.result
  throw new Error(`the execution did not complete: ${JSON.stringify(answer).slice(0, 400)}`)
}
