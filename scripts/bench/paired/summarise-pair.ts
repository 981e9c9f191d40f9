import type { Figure } from '../figure.ts'
import type { Measured } from './measure-each.ts'
import type { PerEngine } from './measure-in-rounds.ts'
import { quantile } from './quantile.ts'

/** What was measured; the figures are named by it: `turn_p50`, `turns`, `turns_of_direct`. */
type Unit = 'turn' | 'call'

type Row = Pick<Figure, 'name' | 'value' | 'unit'> & { readonly engine: string }

/** What each engine took, what the gateway adds, and which share of the direct ones a second it keeps. */
export function summarisePair(unit: Unit, { direct, drawbridge }: PerEngine<Measured>): readonly Row[] {
  const added = (share: number): number =>
    round(quantile(drawbridge.latenciesMs, share) - quantile(direct.latenciesMs, share))
  return [
    ...rowsOf(unit, 'direct', direct),
    ...rowsOf(unit, 'drawbridge', drawbridge),
    { name: 'added_p50', engine: 'drawbridge', value: added(0.5), unit: 'ms' },
    { name: 'added_p99', engine: 'drawbridge', value: added(0.99), unit: 'ms' },
    {
      name: `${unit}s_of_direct`,
      engine: 'drawbridge',
      value: round(rateOf(drawbridge) / rateOf(direct)),
      unit: 'ratio',
    },
  ]
}

function rowsOf(unit: Unit, engine: string, measured: Measured): readonly Row[] {
  return [
    { name: `${unit}_p50`, engine, value: round(quantile(measured.latenciesMs, 0.5)), unit: 'ms' },
    { name: `${unit}_p99`, engine, value: round(quantile(measured.latenciesMs, 0.99)), unit: 'ms' },
    { name: `${unit}s`, engine, value: round(rateOf(measured)), unit: '1/s' },
  ]
}

function rateOf({ latenciesMs, elapsedMs }: Measured): number {
  return (latenciesMs.length * 1000) / elapsedMs
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
