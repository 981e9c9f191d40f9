import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Figure } from './figure.ts'
import { PROGRAMS } from './peers/contender.ts'
import type { Contender, StartedEngine } from './peers/contender.ts'
import { startDrawbridge } from './peers/drawbridge-contender.ts'
import { startExecutor } from './peers/executor-contenders.ts'
import { installPeer } from './peers/install-peer.ts'
import { measureContenders } from './peers/measure-contenders.ts'
import { startService } from './peers/start-service.ts'
import { summariseContenders } from './peers/summarise-contenders.ts'

/** The published QuickJS gateway, MIT. */
const EXECUTOR = { name: 'executor', version: '1.5.9' }
const TOOLS_DEFAULT_COUNT = 50
const TOOLS_MAX_COUNT = 1_000
const SECONDS_DEFAULT = 5
const WARMUP_DEFAULT_RUNS = 20

interface Options {
  readonly peerFolder: string | undefined
  readonly tools: number
  readonly ms: number
  readonly warmupRuns: number
}

/**
 * The same programs on a gateway of this checkout and on a published peer, each over its own HTTP entry, with the same
 * tool server behind both. `--peer-folder DIR` (installs there once and keeps it; a temporary folder by default),
 * `--seconds N` (for each figure, default 5), `--warmup N` (runs, default 20), `--tools N` (of the server, default 50).
 */
export async function bench(args: readonly string[], print: (figure: Figure) => void): Promise<void> {
  const options = readOptions(args)
  const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-peers-'))
  // An interrupt takes the peer and the folder along, by what is done on exit; it may come twice, from the terminal and
  // from the launcher, and the second must not end this process before that.
  const leave = (): void => process.exit(130)
  const clear = (): void => rmSync(folder, { recursive: true, force: true })
  process.on('SIGINT', leave).on('SIGTERM', leave).once('exit', clear)
  const started: { stop(): Promise<void> }[] = []
  try {
    const toolServer = await startToolServer(folder, options.tools)
    started.push(toolServer)
    const drawbridge = await startDrawbridge(path.join(folder, 'drawbridge'), toolServer.address)
    started.push(drawbridge)
    const peer = await tryExecutor(folder, options, toolServer.address)
    if (peer !== undefined) started.push(peer)
    const contenders = [...drawbridge.contenders, ...(peer?.contenders ?? [])]
    await measureAll(contenders, options, (figure) => print({ ...figure, tools: options.tools }))
  } finally {
    for (const one of started.toReversed()) await one.stop()
    await rm(folder, { recursive: true, force: true })
    process.off('SIGINT', leave).off('SIGTERM', leave).off('exit', clear)
  }
}

async function measureAll(
  contenders: readonly Contender[],
  { ms, warmupRuns }: Options,
  print: (figure: Figure) => void,
): Promise<void> {
  let standing = contenders
  for (const program of PROGRAMS) {
    note(`measuring "${program}"`)
    const measured = await measureContenders(standing, { program, ms, warmupRuns }, () => performance.now())
    for (const entry of measured) {
      if (entry.kind === 'times') continue
      if (entry.contender.engine === 'drawbridge') throw entry.error
      note(`${entry.contender.engine} over ${entry.contender.tool} is left out from here: ${messageOf(entry.error)}`)
      standing = standing.filter((contender) => contender !== entry.contender)
    }
    for (const figure of summariseContenders(program, measured)) print(figure)
  }
}

/** Undefined, and a notice, where it cannot be installed or started. */
async function tryExecutor(folder: string, options: Options, toolServer: string): Promise<StartedEngine | undefined> {
  const installation = options.peerFolder ?? path.join(folder, 'peers')
  const { name, version } = EXECUTOR
  try {
    note(`${name} ${version}: looking in ${installation}, else installing there`)
    note(`${name} ${version} is ${await installPeer(EXECUTOR, installation)}; starting it`)
    return await startExecutor({ installation, version, folder: path.join(folder, 'executor'), toolServer })
  } catch (error) {
    note(`${name} ${version} is not measured: ${messageOf(error)}`)
    return undefined
  }
}

function startToolServer(cwd: string, tools: number): ReturnType<typeof startService> {
  const file = path.join(import.meta.dirname, 'peers/fixtures/tool-server.ts')
  return startService({
    name: 'the tool server',
    args: [file, String(tools)],
    cwd,
    env: {},
    readAddress: (line) => (line.startsWith('http://') ? line : undefined),
  })
}

function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { 'peer-folder': text, tools: text, seconds: text, warmup: text },
  })
  const folder = values['peer-folder']
  return {
    peerFolder: folder === undefined ? undefined : path.resolve(folder),
    tools: readCount('tools', values.tools, { default: TOOLS_DEFAULT_COUNT, min: 2, max: TOOLS_MAX_COUNT }),
    ms: readCount('seconds', values.seconds, { default: SECONDS_DEFAULT, min: 1, max: 600 }) * 1000,
    warmupRuns: readCount('warmup', values.warmup, { default: WARMUP_DEFAULT_RUNS, min: 1, max: 10_000 }),
  }
}

/** @throws {RangeError} that names the option and its bounds */
function readCount(
  name: string,
  text: string | undefined,
  bounds: { readonly default: number; readonly min: number; readonly max: number },
): number {
  const count = Number(text ?? bounds.default)
  if (Number.isInteger(count) && count >= bounds.min && count <= bounds.max) return count
  throw new RangeError(`--${name} is "${text ?? ''}", not a whole number from ${bounds.min} to ${bounds.max}`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function note(text: string): void {
  process.stderr.write(`bench peers: ${text}\n`)
}
