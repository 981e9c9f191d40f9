import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createIsolatePool } from '../../bridge/isolate/pool.ts'
import type { ProgramHost } from '../../bridge/isolate/program-host.ts'
import { startBareBridge } from './bare-bridge/bare-bridge.ts'
import type { Figure } from './figure.ts'
import { quantile } from './paired/quantile.ts'
import type { Program, RunEngines } from './run/run-engines.ts'
import { createRunEngines, runCode, runInPool } from './run/run-engines.ts'

interface RunFigure {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly engine: string
  readonly against?: string
  readonly program?: string
  readonly inFlight?: number
  readonly pacedMs?: number
  readonly runs?: number
  readonly crashes?: boolean
}

const RETURN: Program = { name: 'return-1', code: 'return 1', value: '1' }
const SEARCH: Program = {
  name: 'search-describe-call',
  code: `const [hit] = await tools.search('add two numbers')
await tools.describe(hit.id)
return await tools.call(hit.id, { a: 2, b: 3 })`,
  value: '{"sum":5}',
}
const TWENTY: Program = {
  name: 'twenty-calls',
  code: `let sum = 0
for (let i = 0; i < 20; i++) sum = (await tools.call('plugin:math:add', { a: sum, b: 1 })).sum
return sum`,
  value: '20',
}
const PROGRAMS = [RETURN, SEARCH, TWENTY]
/** Runs out of memory at once; its worker is killed and replaced. */
const CRASH = "const a = []\nfor (;;) { const s = 'x'.repeat(1e7); a.push(s + a.length); a.at(-1).charCodeAt(5) }"
/** Each against another; that of the floor says what any bridge of isolates could come to. */
const COMPARED = [
  ['drawbridge', 'reference'],
  ['drawbridge', 'in-process'],
  ['drawbridge', 'bare'],
  ['bare', 'reference'],
] as const
const PACE_MS = 10
const CRASH_EVERY_MS = 500
const TURNS = 4

/**
 * What a run costs here, in one go with a Node child per run, an isolate per run in this process, and the floor: isolates
 * made ahead in workers with nothing around them, which shows how much of a run is the isolate and how much is ours.
 * Options: `--seconds N` for each measurement (default 2), `--warmup N` runs (default 50).
 */
export async function bench(args: readonly string[], print: (figure: Figure) => void): Promise<void> {
  const options = { seconds: { type: 'string' }, warmup: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...args], options, strict: false })
  const settings = { ms: Number(values.seconds ?? 2) * 1000, warmup: Number(values.warmup ?? 50) }
  const pool = await createIsolatePool()
  using bare = await startBareBridge(availableParallelism())
  const engines = createRunEngines(pool, bare)
  const seen = new Map<string, number>()
  const report = (figure: RunFigure): void => {
    const { engine, name, program = '', inFlight = 1, pacedMs = 0, value } = figure
    seen.set([engine, name, program, inFlight, pacedMs].join(), value)
    print({ area: 'run', ...figure })
  }
  try {
    await warmUp(engines, settings.warmup)
    for (const program of PROGRAMS) {
      for (const inFlight of [1, 8]) await measure(engines, { ...settings, report, program, inFlight, pacedMs: 0 })
    }
    await measure(engines, { ...settings, report, program: SEARCH, inFlight: 1, pacedMs: PACE_MS })
    reportRatios(seen, report)
    reportMemory(pool, report)
    await measureCrash(pool, settings.ms, report)
  } finally {
    await pool.close()
  }
}

interface Measuring {
  readonly ms: number
  readonly report: (figure: RunFigure) => void
}

interface Case extends Measuring {
  readonly program: Program
  readonly inFlight: number
  readonly pacedMs: number
}

async function warmUp(engines: RunEngines, runs: number): Promise<void> {
  for (const [engine, run] of Object.entries(engines)) {
    // The reference starts anew each time: it has nothing to warm but the disk's cache.
    const count = engine === 'reference' ? 2 : runs
    for (let time = 0; time < count; time++) await run(SEARCH)
    if (count === runs) await Promise.all(Array.from({ length: runs }, () => run(SEARCH)))
  }
}

/** The engines take turns, so that what else happens on the machine meets them alike. */
async function measure(engines: RunEngines, { program, inFlight, pacedMs, ms, report }: Case): Promise<void> {
  const totals = new Map<string, { readonly times: number[]; elapsedMs: number }>()
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [engine, run] of Object.entries(engines)) {
      const total = totals.get(engine) ?? { times: [], elapsedMs: 0 }
      const { times, elapsedMs } = await load(() => run(program), { ms: ms / TURNS, inFlight, pacedMs })
      total.times.push(...times)
      totals.set(engine, { times: total.times, elapsedMs: total.elapsedMs + elapsedMs })
    }
  }
  for (const [engine, { times, elapsedMs }] of totals) {
    const paced = pacedMs === 0 ? {} : { pacedMs }
    const under = { engine, program: program.name, inFlight, runs: times.length, ...paced }
    report({ name: 'p50', value: quantile(times, 0.5), unit: 'ms', ...under })
    report({ name: 'p99', value: quantile(times, 0.99), unit: 'ms', ...under })
    if (pacedMs === 0) report({ name: 'rate', value: (times.length * 1000) / elapsedMs, unit: 'runs/s', ...under })
  }
}

function reportRatios(seen: ReadonlyMap<string, number>, report: Measuring['report']): void {
  const of = (engine: string, ...rest: readonly (string | number)[]): number =>
    seen.get([engine, ...rest].join()) ?? NaN
  for (const [engine, against] of COMPARED) {
    const ratio = (
      name: string,
      value: number,
      under: { readonly inFlight: number; readonly pacedMs?: number },
    ): void => report({ name, value, unit: 'ratio', engine, against, program: SEARCH.name, ...under })
    const p50 = (which: string, pacedMs: number): number => of(which, 'p50', SEARCH.name, 1, pacedMs)
    ratio('p50-ratio', p50(against, 0) / p50(engine, 0), { inFlight: 1 })
    ratio('p50-ratio', p50(against, PACE_MS) / p50(engine, PACE_MS), { inFlight: 1, pacedMs: PACE_MS })
    const rate = (which: string): number => of(which, 'rate', SEARCH.name, 8, 0)
    ratio('rate-ratio', rate(engine) / rate(against), { inFlight: 8 })
  }
  const cost = of('drawbridge', 'p50', TWENTY.name, 1, 0) - of('drawbridge', 'p50', RETURN.name, 1, 0)
  report({ name: 'over-empty-run', value: cost, unit: 'ms', engine: 'drawbridge', program: TWENTY.name, inFlight: 1 })
}

function reportMemory(pool: ProgramHost, report: Measuring['report']): void {
  const bytes = pool.status().residentBytes
  if (bytes === undefined) return
  report({ name: 'worker-resident', value: bytes / 1024 / 1024, unit: 'MiB', engine: 'drawbridge' })
}

/** A tenant's runs, paced, without and with another tenant whose programs take their workers down. */
async function measureCrash(pool: ProgramHost, ms: number, report: Measuring['report']): Promise<void> {
  const neighbour = (): Promise<void> => runInPool(pool, SEARCH, 'neighbour')
  const paced = { ms: ms * 2, inFlight: 1, pacedMs: PACE_MS }
  const quiet = quantile((await load(neighbour, paced)).times, 0.99)
  const over = new AbortController()
  const crashing = crashUntil(pool, over.signal)
  const beside = quantile((await load(neighbour, paced)).times, 0.99)
  over.abort()
  await crashing
  const under = { engine: 'drawbridge', program: SEARCH.name, inFlight: 1, pacedMs: PACE_MS }
  report({ name: 'neighbour-p99', value: quiet, unit: 'ms', crashes: false, ...under })
  report({ name: 'neighbour-p99', value: beside, unit: 'ms', crashes: true, ...under })
  report({ name: 'neighbour-p99-ratio', value: beside / quiet, unit: 'ratio', ...under })
}

async function crashUntil(pool: ProgramHost, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await runCode(pool, CRASH, 'crasher')
    await pause(CRASH_EVERY_MS)
  }
}

async function load(
  run: () => Promise<void>,
  options: { readonly ms: number; readonly inFlight: number; readonly pacedMs: number },
): Promise<{ readonly times: readonly number[]; readonly elapsedMs: number }> {
  const times: number[] = []
  const startMs = performance.now()
  const lane = async (): Promise<void> => {
    while (performance.now() - startMs < options.ms) {
      if (options.pacedMs > 0) await pause(options.pacedMs)
      const beforeMs = performance.now()
      await run()
      times.push(performance.now() - beforeMs)
    }
  }
  await Promise.all(Array.from({ length: options.inFlight }, lane))
  return { times, elapsedMs: performance.now() - startMs }
}
