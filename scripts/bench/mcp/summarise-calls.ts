import type { Figure } from '../figure.ts'
import type { Measured } from '../gateway/measure-turns.ts'
import { quantile } from '../gateway/quantile.ts'

export type PerEngine<T> = Readonly<Record<'direct' | 'drawbridge', T>>

type Row = Pick<Figure, 'name' | 'value' | 'unit'> & { readonly engine: string }

/** What each engine took for a call, what the gateway adds, and which share of the direct calls a second it keeps. */
export function summariseCalls({ direct, drawbridge }: PerEngine<Measured>): readonly Row[] {
  const added = (share: number): number =>
    round(quantile(drawbridge.latenciesMs, share) - quantile(direct.latenciesMs, share))
  return [
    ...rowsOf('direct', direct),
    ...rowsOf('drawbridge', drawbridge),
    { name: 'added_p50', engine: 'drawbridge', value: added(0.5), unit: 'ms' },
    { name: 'added_p99', engine: 'drawbridge', value: added(0.99), unit: 'ms' },
    { name: 'calls_of_direct', engine: 'drawbridge', value: round(rateOf(drawbridge) / rateOf(direct)), unit: 'ratio' },
  ]
}

function rowsOf(engine: string, measured: Measured): readonly Row[] {
  return [
    { name: 'call_p50', engine, value: round(quantile(measured.latenciesMs, 0.5)), unit: 'ms' },
    { name: 'call_p99', engine, value: round(quantile(measured.latenciesMs, 0.99)), unit: 'ms' },
    { name: 'calls', engine, value: round(rateOf(measured)), unit: '1/s' },
  ]
}

function rateOf({ latenciesMs, elapsedMs }: Measured): number {
  return (latenciesMs.length * 1000) / elapsedMs
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
