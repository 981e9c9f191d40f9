import type { WhenMatch } from './judge.ts'

/** Every part must match: one that does not is enough, whatever else cannot be decided. */
export function allMatch(parts: Iterable<WhenMatch>): WhenMatch {
  let match: WhenMatch = 'yes'
  for (const part of parts) {
    if (part === 'no') return 'no'
    if (part === 'undecided') match = 'undecided'
  }
  return match
}

/** One part must match. */
export function anyMatches(parts: Iterable<WhenMatch>): WhenMatch {
  let match: WhenMatch = 'no'
  for (const part of parts) {
    if (part === 'yes') return 'yes'
    if (part === 'undecided') match = 'undecided'
  }
  return match
}

/** At least and at most so many must match. */
export function countMatches(
  parts: Iterable<WhenMatch>,
  { min, max }: { readonly min: number; readonly max: number },
): WhenMatch {
  let [sure, open] = [0, 0]
  for (const part of parts) {
    if (part === 'yes') sure += 1
    if (part === 'undecided') open += 1
  }
  if (sure > max || sure + open < min) return 'no'
  return sure >= min && sure + open <= max ? 'yes' : 'undecided'
}

export function opposite(match: WhenMatch): WhenMatch {
  switch (match) {
    case 'yes':
      return 'no'
    case 'no':
      return 'yes'
    case 'undecided':
      return 'undecided'
  }
}

/** What all of them say, where they say the same. */
export function agreed(first: WhenMatch, others: Iterable<WhenMatch>): WhenMatch {
  for (const other of others) if (other !== first) return 'undecided'
  return first
}
