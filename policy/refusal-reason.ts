import type { Verdict } from './decide.ts'

/** Why a call is refused, for whoever made it: an operator's own words where a rule has some, never what a list says. */
export function refusalReason(verdict: Extract<Verdict, { readonly kind: 'deny' }>): string {
  if (verdict.reason !== undefined) return verdict.reason
  return verdict.layer === 'rules' ? 'a rule does not allow these arguments' : 'policy does not allow it any more'
}
