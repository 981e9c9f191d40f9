import type { Check, RequiredScenario } from './suite.ts'

/** How the suite judged one scenario, in one of the ways that it can meet Drawbridge. */
export interface Verdict {
  readonly scenario: string
  readonly requirements: string
  /** `server`: `/mcp` itself. `client`: the client of the servers behind. `through`: a server behind, passed on. */
  readonly side: 'server' | 'client' | 'through'
  readonly pass: boolean
  /** Only these decide about success; the suite runs others too and says why they do not count. */
  readonly scored: boolean
  readonly reason?: string
  /** It failed beside others, and was run again alone; the suite waits half a second where a busy machine needs one. */
  readonly attempts?: number
  /** What failed, in the words of the suite. */
  readonly faults?: readonly string[]
}

/** The suite's own rule (`tier-check`): something succeeded and nothing failed. Not to have run at all is a failure. */
export function judge(
  checks: readonly Check[],
  { scenario, notScored }: RequiredScenario,
  of: { readonly revision: string; readonly side: Verdict['side'] },
): Verdict {
  const failed = checks.filter(({ status }) => status === 'FAILURE')
  const pass = failed.length === 0 && checks.some(({ status }) => status === 'SUCCESS')
  const faults = failed.map(({ id, errorMessage = 'failed' }) => `${id}: ${errorMessage}`)
  return {
    scenario,
    requirements: of.revision,
    side: of.side,
    pass,
    scored: notScored === undefined,
    ...(notScored !== undefined && { reason: notScored }),
    ...(!pass && { faults: faults.length > 0 ? faults : ['the suite reports no check that succeeded'] }),
  }
}
