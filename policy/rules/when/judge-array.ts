import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import type { Judge, Judging, WhenMatch } from './judge.ts'
import { allMatch, countMatches } from './three-valued.ts'

const COUNTED = ['minItems', 'maxItems', 'uniqueItems']
const ITEMS = ['items', 'prefixItems', 'contains', 'unevaluatedItems', ...COUNTED]

/** What a schema says of a list; of what is no list it says nothing that can be relied on. */
export function judgeArray(schema: JsonObject, { judgeOf, checked }: Judging): Judge | undefined {
  if (!ITEMS.some((keyword) => schema[keyword] !== undefined)) return undefined
  const { items, prefixItems, contains, unevaluatedItems } = schema
  const prefix = Array.isArray(prefixItems) ? prefixItems.map((part) => judgeOf(part)) : []
  const rest = judgeOf(items)
  const counted = Object.entries(schema).filter(([keyword]) => COUNTED.includes(keyword))
  const counts = checked(Object.fromEntries(counted))
  const containing = contains === undefined ? undefined : judgeContains(schema, judgeOf(contains))
  return (value) => {
    if (!Array.isArray(value)) return 'undecided'
    const each = value.map((item: JsonValue, index) => (prefix[index] ?? rest)(item))
    // Which items the other parts have looked at is not known here.
    const isOpen = unevaluatedItems !== undefined && unevaluatedItems !== true && value.length > 0
    return allMatch([...each, containing?.(value) ?? 'yes', counts(value), isOpen ? 'undecided' : 'yes'])
  }
}

function judgeContains(schema: JsonObject, judge: Judge): (items: readonly JsonValue[]) => WhenMatch {
  const { minContains, maxContains } = schema
  const bounds = {
    min: typeof minContains === 'number' ? minContains : 1,
    max: typeof maxContains === 'number' ? maxContains : Number.POSITIVE_INFINITY,
  }
  return (items) => countMatches(items.map(judge), bounds)
}
