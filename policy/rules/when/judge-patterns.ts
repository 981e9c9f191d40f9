import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { RULE_KEYS_MAX } from '../../limits.ts'
import type { Judge, Judging, WhenMatch } from './judge.ts'
import { plainKey } from './key-writings.ts'
import { keysBelow } from './keys-below.ts'
import { agreed, allMatch, anyMatches, opposite } from './three-valued.ts'

/** What is said of properties by a pattern of their names, and of all that nothing else names. */
export function judgePatterns(
  { properties, patternProperties, additionalProperties }: JsonObject,
  { judgeOf, judgeKey }: Judging,
): ((object: JsonObject) => readonly WhenMatch[]) | undefined {
  if (patternProperties === undefined && additionalProperties === undefined) return undefined
  const patterns = Object.entries(isJsonObject(patternProperties) ? patternProperties : {}).map(([pattern, part]) => ({
    pattern,
    names: judgeKey({ pattern }),
    judge: judgeOf(part),
  }))
  const isNamed = namedIn(isJsonObject(properties) ? Object.keys(properties) : [])
  const additional = judgeOf(additionalProperties)
  return (object) => {
    const known = createKnownKeys(patterns)
    const others = keysBelow(object, (key, isOwn) => {
      const found = known.patternsOf(key)
      return found === undefined
        ? []
        : [...found].flatMap(([pattern, named]) => (isOwn && named === 'yes' ? [] : [pattern]))
    })
    const own = Object.entries(object).map(([key, value]) => ({ key, value, found: known.patternsOf(key) }))
    if (others === undefined || known.isTooMany()) return ['undecided']
    const each = patterns.map(({ pattern, judge }) => {
      const meant = own.filter(({ found }) => found?.get(pattern) === 'yes')
      return agreed(allMatch(meant.map(({ value }) => judge(value))), (others.get(pattern) ?? []).map(judge))
    })
    const unnamed = own.map(({ key, value, found }) => {
      const isOther = opposite(anyMatches([isNamed(key), ...(found?.values() ?? [])]))
      return isOther === 'no' ? 'yes' : anyMatches([opposite(isOther), additional(value)])
    })
    return [...each, ...unnamed]
  }
}

function namedIn(names: readonly string[]): (key: string) => WhenMatch {
  const [exact, plain] = [new Set(names), new Set(names.map(plainKey))]
  return (key) => {
    if (exact.has(key)) return 'yes'
    return plain.has(plainKey(key)) ? 'undecided' : 'no'
  }
}

interface KnownKeys {
  /** The patterns that may be about a key, and whether they are; undefined past the keys that are compared. */
  patternsOf(key: string): ReadonlyMap<string, WhenMatch> | undefined
  isTooMany(): boolean
}

/** Lists of many objects have few different keys: each is compared once. */
function createKnownKeys(patterns: readonly { readonly pattern: string; readonly names: Judge }[]): KnownKeys {
  const known = new Map<JsonValue, ReadonlyMap<string, WhenMatch>>()
  let isTooMany = false
  return {
    patternsOf(key) {
      const before = known.get(key)
      if (before !== undefined || patterns.length === 0) return before
      if (known.size >= RULE_KEYS_MAX) {
        isTooMany = true
        return undefined
      }
      const matches = patterns.map(({ pattern, names }) => [pattern, names(key)] as const)
      const found = new Map(matches.filter(([, match]) => match !== 'no'))
      known.set(key, found)
      return found
    },
    isTooMany: () => isTooMany,
  }
}
