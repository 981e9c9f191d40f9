import type { Receipt } from '../../../bridge/receipt.ts'
import type { ChainEntry } from '../receipt-chain.ts'

export function aReceipt(id: string): Receipt {
  return {
    id,
    tenant: 't',
    callId: `call_${id}`,
    agent: 'default',
    requested: 'mcp:x:äct',
    catalogRevision: '1',
    outcome: 'ok',
    effect: 'done',
    startedMs: 1,
    ms: 2,
  }
}

/** What was chained, in batches; `fault` is thrown in the place of chaining. */
export function chains() {
  const batches: string[][] = []
  const chained: ChainEntry[] = []
  let fault: Error | undefined
  return {
    batches,
    entries: chained,
    fail: (error: Error | undefined) => {
      fault = error
    },
    chain: (entries: readonly ChainEntry[]) => {
      if (fault !== undefined) throw fault
      batches.push(entries.map(({ id }) => id))
      chained.push(...entries)
    },
  }
}
