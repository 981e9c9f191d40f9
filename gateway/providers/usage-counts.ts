import type { Usage } from './provider.ts'

/** What a span says of a step's tokens; their sum is left to whoever reads it. */
export function usageCounts({ totalTokens: _sum, ...counts }: Usage): Readonly<Record<string, number>> {
  return counts
}
