import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Judge, Judging, WhenMatch } from './judge.ts'
import type { KeysBelow } from './keys-below.ts'
import { allMatch, anyMatches, opposite } from './three-valued.ts'

/** What a schema asks of an object that has a property. */
export interface Dependent {
  readonly name: string
  /** The properties that it needs then. */
  readonly needed: readonly string[]
  readonly judge: Judge
}

export function dependentsOf(
  { dependentRequired, dependentSchemas }: JsonObject,
  { judgeOf }: Judging,
): readonly Dependent[] {
  const lists = Object.entries(isJsonObject(dependentRequired) ? dependentRequired : {})
  const schemas = Object.entries(isJsonObject(dependentSchemas) ? dependentSchemas : {})
  return [
    ...lists.map(([name, list]) => ({
      name,
      needed: Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [],
      judge: judgeOf(true),
    })),
    ...schemas.map(([name, schema]) => ({ name, needed: [], judge: judgeOf(schema) })),
  ]
}

/** Of a property that may be there under another name, neither is sure. */
export function judgeDependents(
  dependents: readonly Dependent[],
): (object: JsonObject, elsewhere: KeysBelow) => readonly WhenMatch[] {
  return (object, elsewhere) => {
    const isThere = (name: string): WhenMatch => {
      if (Object.hasOwn(object, name)) return 'yes'
      return elsewhere.has(name) ? 'undecided' : 'no'
    }
    return dependents.map(({ name, needed, judge }) => {
      const there = isThere(name)
      return there === 'no' ? 'yes' : anyMatches([opposite(there), allMatch([...needed.map(isThere), judge(object)])])
    })
  }
}
