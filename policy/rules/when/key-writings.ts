import type { JsonObject } from '../../../catalog/json.ts'
import type { Judging } from './judge.ts'
import { plainText } from './plain-text.ts'

/** A key as it is compared with others: `Total_Amount` and `totalAmount` are one. */
export function plainKey(key: string): string {
  return plainText(key).replaceAll(SIGNS, '')
}

/**
 * A check of keys that leaves open what another writing of the key would pass: a pattern for `total_amount` is neither
 * about `totalAmount`, which a tool may take for the same, nor surely not.
 */
export function checkedLoosely(checked: Judging['checked']): Judging['checked'] {
  return (keywords) => {
    const exact = checked(keywords)
    const folded = checked(withPattern(keywords, loweredPattern))
    const bare = checked(withPattern(keywords, barePattern))
    return (key) => {
      const own = exact(key)
      if (own !== 'no' || typeof key !== 'string') return own
      const isOther = writings(key).some((written) => folded(written) !== 'no') || bare(plainKey(key)) !== 'no'
      return isOther ? 'undecided' : 'no'
    }
  }
}

const SIGNS = /[^\p{L}\p{N}]+/gu

/** In small letters: as it stands, without signs, and its words joined as is usual. */
function writings(key: string): readonly string[] {
  const words = plainText(key.replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ')).split(SIGNS)
  const joined = words.filter((word) => word !== '')
  return [plainText(key), joined.join(''), joined.join('_'), joined.join('-')]
}

function withPattern(keywords: JsonObject, change: (pattern: string) => string): JsonObject {
  const { pattern } = keywords
  return typeof pattern === 'string' ? { ...keywords, pattern: change(pattern) } : keywords
}

/** What is escaped is not a letter: `\W` is no `\w`. A pattern that is none afterwards decides nothing. */
function loweredPattern(pattern: string): string {
  return pattern.replaceAll(/\\(?:[pP]\{[^}]*\}|[^])|[^\\]+/gu, (token) =>
    token.startsWith('\\') ? token : token.toLowerCase(),
  )
}

/** Without the signs that only part words; one at an end says that something goes before or after it. */
function barePattern(pattern: string): string {
  return loweredPattern(pattern).replaceAll(/(?<=[\p{L}\p{N}])(?:\\[._-]|[_ -])(?=[\p{L}\p{N}])/gu, '')
}
