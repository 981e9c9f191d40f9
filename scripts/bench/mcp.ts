import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from '@modelcontextprotocol/client'
import type { Figure } from './figure.ts'
import type { BenchTarget, Revision } from './mcp/bench-client.ts'
import { connectBenchClient } from './mcp/bench-client.ts'
import type { BenchGateway } from './mcp/bench-gateway.ts'
import { startBenchGateway } from './mcp/bench-gateway.ts'
import { measureMemory, measureStart } from './mcp/many-servers.ts'
import type { CalledTool } from './mcp/measure-calls.ts'
import { measureFloor } from './mcp/measure-floor.ts'
import { measureCalls } from './mcp/measure-calls.ts'
import type { PrintRow } from './mcp/print-row.ts'
import { startListener } from './mcp/start-listener.ts'
import type { PerEngine } from './paired/measure-in-rounds.ts'
import { measureInRounds } from './paired/measure-in-rounds.ts'
import { summarisePair } from './paired/summarise-pair.ts'

const SERVERS = path.join(import.meta.dirname, 'mcp/echo-servers.ts')
/** Of each engine at each number in flight: enough for a p99 that is not a few outliers, and a third of it before that for V8. */
const CALLS_DEFAULT_COUNT = 2_000
const IN_FLIGHT = [1, 16]
const REVISIONS: readonly Revision[] = ['2026-07-28', '2025-11-25']
const POLL_MS = 20

/**
 * What the gateway adds to a call of an MCP server's tool: the same call by the same client through `/mcp`, where the tools
 * are shown directly, and straight to the server, in alternating rounds; over HTTP, and for the server on stdio; and by the same
 * stack with nothing in it, over HTTP. Then its
 * memory with a hundred servers, and its start with twenty of which three never answer. `--calls N` (a figure, default 2000).
 */
export async function bench(args: readonly string[], print: (figure: Figure) => void): Promise<void> {
  const calls = readCalls(args)
  const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-bench-'))
  const say: PrintRow = (row) => print({ area: 'mcp', ...row })
  const servers = await startListener({ name: 'the servers of the bench', args: [SERVERS, 'http'], folder })
  try {
    await measureOverhead({ folder, address: servers.address, calls, print: say })
    await measureFloor({ folder, url: `${servers.address}/echo`, calls, revisions: REVISIONS, print: say })
    await measureMemory({ folder, address: servers.address, print: say })
    await measureStart({ folder, address: servers.address, print: say })
  } finally {
    await servers.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Overhead {
  readonly folder: string
  readonly address: string
  readonly calls: number
  readonly print: PrintRow
}

async function measureOverhead({ folder, address, calls, print }: Overhead): Promise<void> {
  const stdio = { command: process.execPath, args: [SERVERS, 'stdio'] }
  const direct: Readonly<Record<string, BenchTarget>> = { http: { url: `${address}/echo` }, stdio }
  const gateway = await startBenchGateway(path.join(folder, 'overhead'), {
    tools: { toolSearch: false },
    plugins: { entries: { demo: { enabled: false } } },
    mcp: { servers: direct },
  })
  try {
    for (const revision of REVISIONS) {
      for (const [server, target] of Object.entries(direct)) {
        await using pair = await connectPair(gateway, { server, target, revision })
        for (const engine of [pair.direct, pair.drawbridge]) await measureCalls(engine, Math.ceil(calls / 3), 4)
        for (const inFlight of IN_FLIGHT) {
          const measured = await measureInRounds(pair, calls, (tool: CalledTool, perRound) =>
            measureCalls(tool, perRound, inFlight),
          )
          const rows = summarisePair('call', measured)
          for (const row of rows) print({ ...row, server, revision, inFlight })
        }
      }
    }
  } finally {
    await gateway.stop()
  }
}

interface Pair extends PerEngine<CalledTool>, AsyncDisposable {}

async function connectPair(
  gateway: BenchGateway,
  { server, target, revision }: { readonly server: string; readonly target: BenchTarget; readonly revision: Revision },
): Promise<Pair> {
  const through = await connectBenchClient({ url: `${gateway.url}/mcp`, token: gateway.token }, revision)
  const straight = await connectBenchClient(target, revision)
  return {
    direct: { client: straight, name: 'echo' },
    drawbridge: { client: through, name: await shownName(through, `${server}__echo`) },
    async [Symbol.asyncDispose]() {
      await Promise.all([through.close(), straight.close()])
    },
  }
}

/** The server connects in the background. */
async function shownName(client: Client, start: string): Promise<string> {
  for (;;) {
    const { tools } = await client.listTools()
    const tool = tools.find(({ name }) => name.startsWith(start))
    if (tool !== undefined) return tool.name
    await pause(POLL_MS)
  }
}

/** @throws {RangeError} that names the option and its bounds */
function readCalls(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { calls: { type: 'string' } } })
  const calls = Number(values.calls ?? CALLS_DEFAULT_COUNT)
  if (Number.isInteger(calls) && calls >= 10 && calls <= 100_000) return calls
  throw new RangeError(`--calls is "${values.calls ?? ''}", not a whole number from 10 to 100000`)
}
