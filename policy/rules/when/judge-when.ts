import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { dialectOf } from '../../../catalog/schema/dialect.ts'
import { normalKeywords, REFERENCE_KEYWORDS } from '../../../catalog/schema/keywords.ts'
import type { Resolution, Resource } from '../../../catalog/schema/references.ts'
import { createReferences } from '../../../catalog/schema/references.ts'
import { RULE_REFERENCES_MAX } from '../../limits.ts'
import type { Judge, Judging, MatchWhen, WhenMatch } from './judge.ts'
import { judgeArray } from './judge-array.ts'
import { judgeNumber } from './judge-number.ts'
import { judgeObject } from './judge-object.ts'
import { checkedLoosely } from './key-writings.ts'
import { allMatch, anyMatches, countMatches, opposite } from './three-valued.ts'
import { isValue, kindOf, kindsNamed } from './value-kind.ts'

/**
 * Arguments against the schema of a rule. JSON Schema says of `"500"` that it is not over 100 and not under it, since it
 * is no number; a tool that takes it for one would escape every rule. So whatever a rule cannot compare (another kind of
 * value, a key written otherwise or standing elsewhere) is undecided here, and the rule reads that as it is safe.
 */
export function createJudgeWhen(when: JsonObject, matches: MatchWhen): (input: JsonObject) => WhenMatch {
  const [references, dialect] = [createReferences(when), dialectOf(when)]
  const checked = (keywords: JsonObject): Judge => {
    const schema = { properties: { value: keywords } }
    return (value) => matches(schema, { value })
  }
  const judgeOf = (schema: JsonValue | undefined, at: Place): Judge => {
    if (schema === undefined || schema === true) return ALWAYS
    if (schema === false) return () => 'no'
    if (!isJsonObject(schema)) return () => 'undecided'
    const place = { ...at, base: references.enter(schema, at.base) }
    // Older forms (`dependencies`, a list of `items`) are judged as what they stand for.
    const keywords: JsonObject = normalKeywords(schema, dialect)
    const own = judgeKeywords(keywords, {
      judgeOf: (part) => judgeOf(part, place),
      judgeKey: (part) => judgeOf(part, { ...place, checked: checkedLoosely(checked) }),
      checked: at.checked,
    })
    const referred = REFERENCE_KEYWORDS.flatMap((keyword) => {
      const reference = keywords[keyword]
      return typeof reference === 'string' ? [judgeReferred(references.resolve(reference, place.base), place)] : []
    })
    return referred.length === 0 ? own : (value) => allMatch([own, ...referred].map((judge) => judge(value)))
  }
  const judgeReferred = (found: Resolution, at: Place): Judge => {
    if (found.kind !== 'found' || at.references >= RULE_REFERENCES_MAX) return () => 'undecided'
    return judgeOf(found.schema, { ...at, base: found.base, references: at.references + 1 })
  }
  return judgeOf(when, { base: references.document, references: 0, checked })
}

/** Where in the schema of a rule a part of it stands. */
interface Place {
  readonly base: Resource
  /** References that led there. */
  readonly references: number
  readonly checked: Judging['checked']
}

const ALWAYS: Judge = () => 'yes'

const STRING_KEYWORDS = ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType']

function judgeKeywords(schema: JsonObject, judging: Judging): Judge {
  const isNullable = schema['nullable'] === true
  const judges = [
    judgeType(schema['type']),
    judgeNamed(schema),
    judgeNumber(schema, judging),
    judgeText(schema, judging),
    judgeArray(schema, judging),
    judgeObject(schema, judging),
    ...judgeBranches(schema, judging),
  ].filter((judge) => judge !== undefined)
  const [only] = judges
  if (judges.length === 1 && only !== undefined && !isNullable) return only
  return (value) => (isNullable && value === null ? 'yes' : allMatch(judges.map((judge) => judge(value))))
}

/** Of another kind than is named it may still be read as one: `"5"` as a number, one item as a list of one. */
function judgeType(type: JsonValue | undefined): Judge | undefined {
  const kinds = kindsNamed(type)
  if (kinds === undefined) return undefined
  const names: readonly JsonValue[] = Array.isArray(type) ? type : [type ?? null]
  const isInteger = names.includes('integer') && !names.includes('number')
  return (value) => {
    const kind = kindOf(value)
    if (kinds.has(kind)) return isInteger && typeof value === 'number' && !Number.isInteger(value) ? 'no' : 'yes'
    return kinds.size === 1 && kinds.has('null') ? 'no' : 'undecided'
  }
}

function judgeNamed(schema: JsonObject): Judge | undefined {
  const { const: only, enum: listed } = schema
  if (only === undefined && !Array.isArray(listed)) return undefined
  return (value) =>
    allMatch([
      only === undefined ? 'yes' : isValue(value, only),
      Array.isArray(listed) ? anyMatches(listed.map((named) => isValue(value, named))) : 'yes',
    ])
}

function judgeText(schema: JsonObject, { checked }: Judging): Judge | undefined {
  const given = Object.entries(schema).filter(([keyword]) => STRING_KEYWORDS.includes(keyword))
  if (given.length === 0) return undefined
  const judge = checked(Object.fromEntries(given))
  return (value) => (typeof value === 'string' ? judge(value) : 'undecided')
}

function judgeBranches(schema: JsonObject, { judgeOf }: Judging): readonly Judge[] {
  const { not, if: condition, then: positive, else: negative } = schema
  const listed = (keyword: string): readonly JsonValue[] | undefined => {
    const branches = schema[keyword]
    return Array.isArray(branches) ? branches : undefined
  }
  const judges: Judge[] = []
  const all = listed('allOf')?.map((branch) => judgeOf(branch))
  if (all !== undefined) judges.push((value) => allMatch(all.map((judge) => judge(value))))
  const any = listed('anyOf')
  if (any !== undefined) judges.push(judgeChoice(any, { judgeOf, decide: anyMatches }))
  const one = listed('oneOf')
  const isOne = (parts: readonly WhenMatch[]): WhenMatch => countMatches(parts, { min: 1, max: 1 })
  if (one !== undefined) judges.push(judgeChoice(one, { judgeOf, decide: isOne }))
  if (not !== undefined) {
    const judge = judgeOf(not)
    judges.push((value) => opposite(judge(value)))
  }
  if (condition !== undefined) {
    const [test, yes, no] = [judgeOf(condition), judgeOf(positive), judgeOf(negative)]
    judges.push((value) => {
      const tested = test(value)
      if (tested === 'undecided') return yes(value) === no(value) ? yes(value) : 'undecided'
      return tested === 'yes' ? yes(value) : no(value)
    })
  }
  return judges
}

interface Choice {
  readonly judgeOf: Judging['judgeOf']
  readonly decide: (parts: readonly WhenMatch[]) => WhenMatch
}

/** A rule with a branch for each kind of value means the one for the kind that came. */
function judgeChoice(branches: readonly JsonValue[], { judgeOf, decide }: Choice): Judge {
  const known = branches.map((branch) => ({
    kinds: isJsonObject(branch) ? kindsNamed(branch['type']) : undefined,
    judge: judgeOf(branch),
  }))
  return (value) => {
    const kind = kindOf(value)
    const hasOwn = known.some(({ kinds }) => kinds?.has(kind) === true)
    return decide(known.map(({ kinds, judge }) => (hasOwn && kinds?.has(kind) === false ? 'no' : judge(value))))
  }
}
