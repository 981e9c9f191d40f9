import type { ToolDefinition } from '../../../../tool.ts'
import { nameParts } from '../lexicon/subject.ts'
import type { ScreeningFinding } from '../screening-finding.ts'

/** Words by which a name says that it is the one to be trusted. Honest tools leave that to their owner. */
export const TRUST_WORDS: ReadonlySet<string> = new Set(
  'secure official verified trusted genuine authentic legit certified original hardened guaranteed authorized'.split(
    ' ',
  ),
)
/** Words by which a name says that it is another edition. Many honest ones have them. */
const EDITION = new Set(
  'v2 v3 2 pro plus fast faster express new next enhanced improved better best fixed alt premium turbo real final safe ex extended lite quick smart advanced copy clone mirror private signed now direct global ultimate max x extra'.split(
    ' ',
  ),
)

/**
 * A name that is another tool's with a word of trust behind it, `send_email_secure`; or with one in front, or a word that
 * makes it another edition, where the description has its letters' case changed as a copy has that is to pass a comparison.
 */
export function posedName({
  name,
  description,
}: Pick<ToolDefinition, 'name' | 'description'>): readonly (ScreeningFinding & { readonly weight: 'strong' })[] {
  const parts = nameParts(name)
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  const hasOddCase = ODD_CASE.test(description.slice(0, DESCRIPTION_READ))
  const isEdition = (word: string): boolean => hasOddCase && (TRUST_WORDS.has(word) || EDITION.has(word))
  // In front the same words are adjectives as often: `secure_random_int`.
  const isLed = isEdition(first)
  if (parts.length < 3 || !(isLed || TRUST_WORDS.has(last) || isEdition(last))) return []
  const [other, claim] = isLed ? [parts.slice(1), first] : [parts.slice(0, -1), last]
  const reason = `its name is "${other.join('_')}" with the claim to be "${claim}", as if it stood in for a tool of that name`
  return [{ kind: 'tool-shadowing', place: 'name', quote: name.slice(0, 120), reason, weight: 'strong' }]
}

/** Begins small, as no sentence does, and then has a common word in a capital. */
const ODD_CASE = /^[a-z]+(?: [a-z]+){0,4} [A-Z][a-z]+(?:-[A-Z][a-z]+)* \w/
/** Where a sentence begins; the rest says nothing of that. */
const DESCRIPTION_READ = 200
