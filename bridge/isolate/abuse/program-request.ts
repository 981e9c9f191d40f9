import { DEFAULT_LIMITS } from '../limits.ts'
import type { ProgramLimits, ProgramRequest } from '../program-host.ts'
import { createAbuseGateway } from './abuse-catalog.ts'

/** For tests: a program of some tenant, with short limits and the small catalog of `abuse-catalog.ts`. */
export function aRequest(
  code: string,
  options: Partial<Omit<ProgramRequest, 'limits' | 'code'>> & { readonly limits?: Partial<ProgramLimits> } = {},
): ProgramRequest {
  const { limits, ...rest } = options
  return {
    runId: 'run',
    tenant: 'tenant',
    code,
    seed: 7,
    startMs: 1_700_000_000_000,
    answer: createAbuseGateway().answer,
    ...rest,
    limits: { ...DEFAULT_LIMITS, wallMs: 5000, ...limits },
  }
}

export const NEVER = new AbortController().signal
