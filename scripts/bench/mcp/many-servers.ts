import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectBenchClient } from './bench-client.ts'
import type { BenchGateway } from './bench-gateway.ts'
import { startBenchGateway } from './bench-gateway.ts'
import { measureCalls } from './measure-calls.ts'
import type { PrintRow } from './print-row.ts'

const SERVERS_COUNT = 100
const TOOLS_OF_SERVER = 50
const SLOW_START_SERVERS = 20
const MUTE_SERVERS = 3
/** A busy machine connects a hundred servers in seconds. */
const CONNECT_BUDGET_MS = 120_000
const POLL_MS = 20
/** After it has come to rest: what the start left behind is collected by then. */
const REST_MS = 3_000

interface Bench {
  readonly folder: string
  /** Of the servers. */
  readonly address: string
  readonly print: PrintRow
}

/** What the gateway keeps in memory for a hundred servers of fifty tools each, beside what it keeps for none. */
export async function measureMemory({ folder, address, print }: Bench): Promise<void> {
  for (const servers of [0, SERVERS_COUNT]) {
    const place = path.join(folder, `memory-${servers}`)
    const gateway = await startBenchGateway(place, configFor(urlsOf(address, servers)))
    try {
      await connected(gateway, servers)
      await pause(REST_MS)
      const value = residentMegabytes(gateway.pid)
      print({ name: 'memory', engine: 'drawbridge', value, unit: 'MB', servers, tools: servers * TOOLS_OF_SERVER })
    } finally {
      await gateway.stop()
    }
  }
}

/** How long it takes from the start of the process to the first call of a server's tool, while three never answer. */
export async function measureStart({ folder, address, print }: Bench): Promise<void> {
  const urls = urlsOf(address, SLOW_START_SERVERS - MUTE_SERVERS)
  const mute = Array.from({ length: MUTE_SERVERS }, (_, at) => [`mute${at}`, { url: `${address}/mute/${at}` }])
  const startMs = performance.now()
  const config = configFor({ ...Object.fromEntries(mute), ...urls })
  const gateway = await startBenchGateway(path.join(folder, 'start'), config)
  const under = { servers: SLOW_START_SERVERS, mute: MUTE_SERVERS }
  const listeningMs = Math.round(performance.now() - startMs)
  print({ name: 'listening', engine: 'drawbridge', value: listeningMs, unit: 'ms', ...under })
  try {
    const value = await firstCall(gateway, startMs)
    print({ name: 'first_tool_callable', engine: 'drawbridge', value, unit: 'ms', ...under })
  } finally {
    await gateway.stop()
  }
}

async function firstCall(gateway: BenchGateway, startMs: number): Promise<number> {
  const client = await connectBenchClient({ url: `${gateway.url}/mcp`, token: gateway.token }, '2026-07-28')
  try {
    for (;;) {
      const { tools } = await client.listTools()
      const [tool] = tools
      if (tool !== undefined) {
        await measureCalls({ client, name: tool.name }, 1, 1)
        return Math.round(performance.now() - startMs)
      }
      if (performance.now() - startMs > CONNECT_BUDGET_MS) throw new Error('no tool came to be callable')
      await pause(POLL_MS)
    }
  } finally {
    await client.close()
  }
}

async function connected(gateway: BenchGateway, count: number): Promise<void> {
  const client = await connectBenchClient({ url: `${gateway.url}/mcp`, token: gateway.token }, '2026-07-28')
  const deadline = performance.now() + CONNECT_BUDGET_MS
  for (;;) {
    const { tools } = await client.listTools()
    if (tools.length === count * TOOLS_OF_SERVER) return
    if (performance.now() > deadline) throw new Error(`only ${tools.length} tools of ${count} servers are there`)
    await pause(POLL_MS)
  }
}

/** Resident memory as the system counts it, of the gateway's process without its workers. */
function residentMegabytes(pid: number): number {
  const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
  return Math.round(kilobytes / 1024)
}

function urlsOf(address: string, count: number): Readonly<Record<string, { readonly url: string }>> {
  const entries = Array.from({ length: count }, (_, at) => [`many${at}`, { url: `${address}/many/${at}` }] as const)
  return Object.fromEntries(entries)
}

function configFor(servers: object): object {
  return { tools: { toolSearch: false }, plugins: { entries: { demo: { enabled: false } } }, mcp: { servers } }
}
