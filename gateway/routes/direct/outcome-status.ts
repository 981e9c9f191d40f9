import type { OutcomeKind } from '../../../bridge/outcome.ts'

/** HTTP status of a call made over HTTP. */
export function outcomeStatus(kind: OutcomeKind): number {
  switch (kind) {
    case 'ok':
      return 200
    case 'waiting':
      return 202
    case 'invalid-input':
    case 'ambiguous-tool':
    case 'client-tool':
      return 400
    case 'denied':
    case 'rejected':
    case 'expired':
      return 403
    case 'unknown-tool':
      return 404
    case 'stale-tool':
      return 409
    case 'cancelled':
      return 499
    case 'failed':
    case 'invalid-output':
      return 502
    case 'unavailable':
    case 'busy':
      return 503
    case 'timed-out':
      return 504
  }
}
