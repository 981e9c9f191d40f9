import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import type { Judge, Judging } from './judge.ts'

type Bound = (value: number, bound: number) => boolean

const BOUNDS: readonly (readonly [string, Bound])[] = [
  ['minimum', (value, bound) => value >= bound],
  ['maximum', (value, bound) => value <= bound],
  ['exclusiveMinimum', (value, bound) => value > bound],
  ['exclusiveMaximum', (value, bound) => value < bound],
]

/** What a schema says of a number; of a number in a text, or in a list, it says nothing that can be relied on. */
export function judgeNumber(schema: JsonObject, { checked }: Judging): Judge | undefined {
  const bounds = BOUNDS.flatMap(([keyword, isWithin]) => {
    const bound: JsonValue | undefined = schema[keyword]
    return typeof bound === 'number' ? [(value: number): boolean => isWithin(value, bound)] : []
  })
  const { multipleOf } = schema
  if (bounds.length === 0 && multipleOf === undefined) return undefined
  const multiple = multipleOf === undefined ? undefined : checked({ multipleOf })
  return (value) => {
    if (typeof value !== 'number') return 'undecided'
    if (!bounds.every((isWithin) => isWithin(value))) return 'no'
    return multiple?.(value) ?? 'yes'
  }
}
