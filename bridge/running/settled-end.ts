import type { ProgramEnd } from '../isolate/program-host.ts'
import type { SettledEnd } from './make-run.ts'

/** The end of a live run; it has no others once a worker was found. */
export function settledEnd(end: ProgramEnd): SettledEnd {
  if (end.kind === 'value' || end.kind === 'error') return end
  throw new TypeError(`a live run cannot end "${end.kind}"`)
}
