import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { TOOLS_MAX_COUNT, writeCatalogPlugin } from '../compare/catalog-plugin.ts'
import { startGateway } from '../compare/gateway-process.ts'
import type { Figure } from './figure.ts'
import type { TurnTarget } from './gateway/measure-turns.ts'
import { measureTurns } from './gateway/measure-turns.ts'
import { measureInRounds } from './paired/measure-in-rounds.ts'
import { summarisePair } from './paired/summarise-pair.ts'

const TOOLS_DEFAULT_COUNT = 1_000
/** Of each engine at each number in flight; enough for a p99 that is not one outlier. */
const TURNS_DEFAULT_COUNT = 600
const IN_FLIGHT = [1, 16]

/**
 * What the gateway adds to a turn without tool calls: streamed turns through it and to the mock provider itself, in
 * alternating rounds. `--tools N` (catalog, default 1,000), `--turns N` (a figure, default 600).
 */
export async function bench(args: readonly string[], print: (figure: Figure) => void): Promise<void> {
  const { tools, turns } = readOptions(args)
  const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-bench-'))
  const provider = await startProvider()
  try {
    const plugin = await writeCatalogPlugin(folder, tools, path.join(folder, 'calls.jsonl'))
    const gateway = await startGateway({ folder, config: configFor(provider.url, plugin) })
    try {
      const targets = {
        direct: { baseUrl: `${provider.url}/v1`, token: 'mock', model: 'mock-model' },
        drawbridge: { baseUrl: `${gateway.url}/v1`, token: gateway.token, model: 'drawbridge' },
      }
      await measureTurns(targets.drawbridge, Math.ceil(turns / 3), 4)
      await measureTurns(targets.direct, Math.ceil(turns / 3), 4)
      for (const inFlight of IN_FLIGHT) {
        const measured = await measureInRounds(targets, turns, (target: TurnTarget, perRound) =>
          measureTurns(target, perRound, inFlight),
        )
        for (const figure of summarisePair('turn', measured)) print({ area: 'gateway', ...figure, inFlight, tools })
      }
    } finally {
      await gateway.stop()
    }
  } finally {
    provider.process.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

function configFor(providerUrl: string, plugin: string): object {
  return {
    models: {
      default: 'mock/mock-model',
      providers: { mock: { api: 'openai-chat', baseUrl: `${providerUrl}/v1`, apiKey: 'mock' } },
    },
    plugins: { paths: [plugin], entries: { demo: { enabled: false } } },
  }
}

async function startProvider(): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const file = path.join(import.meta.dirname, 'gateway/mock-provider.ts')
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).once('line', resolve)
  child.once('error', reject)
  child.once('exit', () => reject(new Error('the mock provider ended before it listened')))
  return { url: await promise, process: child }
}

function readOptions(args: readonly string[]): { readonly tools: number; readonly turns: number } {
  const { values } = parseArgs({ args: [...args], options: { tools: { type: 'string' }, turns: { type: 'string' } } })
  return {
    tools: readCount('tools', values.tools, { default: TOOLS_DEFAULT_COUNT, max: TOOLS_MAX_COUNT }),
    turns: readCount('turns', values.turns, { default: TURNS_DEFAULT_COUNT, max: 100_000 }),
  }
}

/** @throws {RangeError} that names the option and its bounds */
function readCount(
  name: string,
  text: string | undefined,
  bounds: { readonly default: number; readonly max: number },
): number {
  const count = Number(text ?? bounds.default)
  if (Number.isInteger(count) && count >= 1 && count <= bounds.max) return count
  throw new RangeError(`--${name} is "${text ?? ''}", not a whole number from 1 to ${bounds.max}`)
}
