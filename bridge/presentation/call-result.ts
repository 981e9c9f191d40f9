import type { SettledCall } from '../outcome.ts'
import { runCallOf } from '../running/run-call.ts'
import type { ModelResult } from './presentation.ts'

/** What goes back to the model for one call of a tool. Its text is made when it is read: a client of MCP takes the result itself. */
export function callResult(
  settled: SettledCall,
  text: () => string,
  asked: { readonly searches: number; readonly describes: number } = { searches: 0, describes: 0 },
): Extract<ModelResult, { kind: 'result' }> {
  const { outcome } = settled
  let made: string | undefined
  return {
    kind: 'result',
    get text() {
      return (made ??= text())
    },
    isError: outcome.kind !== 'ok' && outcome.kind !== 'waiting',
    ...asked,
    calls: [runCallOf(settled)],
    settled,
    ...(outcome.kind === 'waiting' && { waiting: [outcome.pending] }),
  }
}
