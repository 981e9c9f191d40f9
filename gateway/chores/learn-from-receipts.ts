import type { SearchIndex } from '../../catalog/search/search-index.ts'
import { isDecision } from '../store/receipt-chain.ts'
import type { Store } from '../store/store.ts'
import { RECEIPTS_LEARNED_FROM } from './limits.ts'

interface LearnDeps {
  readonly store: Pick<Store, 'listTokens' | 'listReceipts'>
  readonly index: Pick<SearchIndex, 'learn'>
}

/** Tells the index which searches led to which calls before the last stop, each tenant's for itself. */
export async function learnFromReceipts({ store, index }: LearnDeps): Promise<void> {
  const tenants = new Set((await store.listTokens()).map((token) => token.tenant))
  for (const tenant of tenants) {
    const receipts = await store.listReceipts(tenant, RECEIPTS_LEARNED_FROM)
    // The oldest first, as they came.
    for (const receipt of receipts.toReversed()) {
      if (isDecision(receipt)) continue
      const { query, toolId, outcome } = receipt
      if (outcome === 'ok' && query !== undefined && toolId !== undefined) index.learn(tenant, { query, toolId })
    }
  }
}
