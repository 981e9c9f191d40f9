import { nameParts } from '../lexicon/subject.ts'
import type { ScreeningFinding } from '../screening-finding.ts'

/** Words by which a name says that it is the one to be trusted. Honest tools leave that to their owner. */
const TRUST = new Set([
  'secure',
  'official',
  'verified',
  'trusted',
  'genuine',
  'authentic',
  'legit',
  'certified',
  'original',
])

/** A name that is another tool's with a word of trust behind it: `send_email_secure`. */
export function posedName(name: string): readonly (ScreeningFinding & { readonly weight: 'strong' })[] {
  const parts = nameParts(name)
  const last = parts.at(-1) ?? ''
  if (parts.length < 3 || !TRUST.has(last)) return []
  const other = parts.slice(0, -1).join('_')
  const reason = `its name is "${other}" with the claim to be ${last}, as if it stood in for a tool of that name`
  return [{ kind: 'tool-shadowing', place: 'name', quote: name.slice(0, 120), reason, weight: 'strong' }]
}
