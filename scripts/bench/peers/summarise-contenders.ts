import type { Figure } from '../figure.ts'
import { quantile } from '../paired/quantile.ts'
import type { Contender, ProgramName } from './contender.ts'
import { callsTool } from './contender.ts'
import type { Measured } from './measure-contenders.ts'

type Times = Extract<Measured, { readonly kind: 'times' }>

/** Below this a p99 is the slowest run and nothing else. */
const P99_RUNS_MIN = 100

/** p50 and p99 of each that ran to the end, and how many times Drawbridge's p50 each peer's is. */
export function summariseContenders(program: ProgramName, measured: readonly Measured[]): readonly Figure[] {
  const ran = measured.filter((entry) => entry.kind === 'times')
  const own = ran.find(({ contender }) => contender.engine === 'drawbridge')
  const peers = ran.filter((entry) => entry !== own)
  return [
    ...ran.flatMap((entry) => timesOf(program, entry)),
    ...(own === undefined ? [] : peers.map((peer) => ratioOf(program, own, peer))),
  ]
}

function timesOf(program: ProgramName, { contender, timesMs }: Times): readonly Figure[] {
  const { engine, version } = contender
  const under = { engine, version, program, ...toolOf(program, contender), inFlight: 1, runs: timesMs.length }
  const at = (name: string, share: number): Figure => ({
    area: 'peers',
    name,
    value: round(quantile(timesMs, share)),
    unit: 'ms',
    ...under,
  })
  return timesMs.length < P99_RUNS_MIN ? [at('p50', 0.5)] : [at('p50', 0.5), at('p99', 0.99)]
}

function ratioOf(program: ProgramName, own: Times, peer: Times): Figure {
  return {
    area: 'peers',
    name: 'p50-ratio',
    value: round(quantile(peer.timesMs, 0.5) / quantile(own.timesMs, 0.5)),
    unit: 'ratio',
    engine: own.contender.engine,
    against: peer.contender.engine,
    program,
    ...toolOf(program, own.contender),
    ...(callsTool(program) ? { againstTool: peer.contender.tool } : {}),
    inFlight: 1,
  }
}

/** What stood behind the calls; nothing where the program makes none. */
function toolOf(program: ProgramName, { tool }: Contender): { readonly tool?: string } {
  return callsTool(program) ? { tool } : {}
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
