import { editDistance } from '../../edit-distance.ts'
import { NEAR_NAME_MAX_WORDS } from '../limits.ts'
import { slipsAllowed } from '../query/slips-allowed.ts'

/** Shortest word that may stand for a longer one it begins. */
const CUT_MIN_CHARACTERS = 3

/** True where the words asked for are the name's own but for one that is mistyped, cut short or in another form. */
export function isNearName(asked: readonly string[], name: readonly string[]): boolean {
  if (asked.length !== name.length || asked.length > NEAR_NAME_MAX_WORDS) return false
  let faults = 0
  for (const [place, word] of asked.entries()) {
    const own = name[place] ?? ''
    if (word === own) continue
    faults += 1
    if (faults > 1 || !isSlip(word, own)) return false
  }
  return true
}

function isSlip(asked: string, own: string): boolean {
  if (asked.length >= CUT_MIN_CHARACTERS && own.startsWith(asked)) return true
  const limit = slipsAllowed(Math.max(asked.length, own.length))
  return editDistance(asked, own, limit) <= limit
}
