import type { Subject } from '../lexicon/subject.ts'
import type { ToolText } from '../text/tool-texts.ts'
import { BOASTING_RULES } from './boasting-rules.ts'
import { CHANGE_RULES } from './change-rules.ts'
import { CLAIM_RULES } from './claim-rules.ts'
import { CONCEALMENT_RULES } from './concealment-rules.ts'
import { EXFILTRATION_RULES } from './exfiltration-rules.ts'
import { isMention, isNegated, isOtherStatement } from './mention.ts'
import { MESSAGE_RULES } from './message-rules.ts'
import { MISMATCH_RULES } from './mismatch-rules.ts'
import { OVERRIDE_RULES } from './override-rules.ts'
import type { Match, Pattern } from './pattern.ts'
import { findMatch, hasAllSteps } from './pattern.ts'
import type { ReadSentence } from './read-sentence.ts'
import type { ScreeningRule } from './rule.ts'
import { SECRET_RULES } from './secret-rules.ts'
import { SHADOWING_RULES } from './shadowing-rules.ts'

export interface RuleMatch {
  readonly rule: ScreeningRule
  /** Places in the text. */
  readonly start: number
  readonly end: number
}

interface Screened {
  readonly sentences: readonly ReadSentence[]
  readonly subject: Subject
  readonly role: ToolText['role']
  /** Words of the first sentence that say what the tool is for; 0 in every text but the description. */
  readonly purposeLength: number
}

const RULES: readonly ScreeningRule[] = [
  ...OVERRIDE_RULES,
  ...CLAIM_RULES,
  ...CONCEALMENT_RULES,
  ...EXFILTRATION_RULES,
  ...SECRET_RULES,
  ...SHADOWING_RULES,
  ...BOASTING_RULES,
  ...CHANGE_RULES,
  ...MISMATCH_RULES,
  ...MESSAGE_RULES,
]

/** Every rule that holds of a text, once. */
export function applyRules({ sentences, subject, role, purposeLength }: Screened): readonly RuleMatch[] {
  const sentencesByRule = triedByRule(sentences)
  return RULES.flatMap((rule) => {
    if (rule.where === 'parameter' && role !== 'parameter') return []
    for (const { sentence, patterns } of sentencesByRule.get(rule) ?? []) {
      const from = sentence === sentences[0] && rule.where === 'aside' ? purposeLength : 0
      const found = matchRule(rule, { sentence, patterns, from })
      const [first, last] = [sentence.tokens[found?.start ?? -1], sentence.tokens[(found?.end ?? 0) - 1]]
      if (first === undefined || last === undefined) continue
      // Asked last: few rules match, and each has many roots to compare.
      return isItsBusiness(rule, subject) ? [] : [{ rule, start: first.start, end: last.end }]
    }
    return []
  })
}

/** What a rule may hold of, in the order of the text; most hold of no sentence, and a text is not gone through for those. */
function triedByRule(sentences: readonly ReadSentence[]): ReadonlyMap<ScreeningRule, readonly TriedSentence[]> {
  const byRule = new Map<ScreeningRule, TriedSentence[]>()
  for (const sentence of sentences) {
    if (sentence.isSample) continue
    for (const [rule, patterns] of patternsIn(sentence)) {
      const tried = byRule.get(rule)
      if (tried === undefined) byRule.set(rule, [{ sentence, patterns }])
      else tried.push({ sentence, patterns })
    }
  }
  return byRule
}

interface TriedSentence {
  readonly sentence: ReadSentence
  /** Those of the rule that may match in it. */
  readonly patterns: ReadonlySet<Pattern>
}

function patternsIn(sentence: ReadSentence): ReadonlyMap<ScreeningRule, ReadonlySet<Pattern>> {
  const byRule = new Map<ScreeningRule, Set<Pattern>>()
  for (const name of sentence.present) {
    for (const { rule, pattern } of PATTERNS_BY_NAME.get(name) ?? []) {
      if (!hasAllSteps(pattern, sentence)) continue
      const patterns = byRule.get(rule)
      if (patterns === undefined) byRule.set(rule, new Set([pattern]))
      else patterns.add(pattern)
    }
  }
  return byRule
}

function isItsBusiness({ business }: ScreeningRule, subject: Subject): boolean {
  return business.some((root) =>
    root.length < 3 ? subject.business.has(root) : [...subject.business].some((word) => word.startsWith(root)),
  )
}

/** Patterns by what their scarcest step asks for: a sentence that has nothing of it is not looked through for them. */
const PATTERNS_BY_NAME = Map.groupBy(
  RULES.flatMap((rule) =>
    rule.any.flatMap((pattern) => scarcest(pattern).map((name) => ({ name, rule, pattern }) as const)),
  ),
  ({ name }) => name,
)

function scarcest({ steps }: Pattern): readonly string[] {
  const [first, ...rest] = steps.map(({ alternatives }) => alternatives)
  if (first === undefined) return []
  return rest.reduce((least, names) => (commonness(names) < commonness(least) ? names : least), first)
}

/** A class stands for many words. */
function commonness(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (name.startsWith('@') ? 10 : 1), 0)
}

interface Tried extends TriedSentence {
  readonly from: number
}

function matchRule(rule: ScreeningRule, { sentence, patterns, from }: Tried): Match | undefined {
  for (const pattern of rule.any) {
    if (!patterns.has(pattern)) continue
    const match = nextMatch(rule, pattern, { sentence, from })
    if (match === undefined) continue
    if (rule.unless.some((other) => findMatch(other, sentence, 0) !== undefined)) return undefined
    // Where "not" is part of what was found, as in "never use send_mail", it denies nothing of the rest.
    const saysNot = isNegated(sentence.tokens, match.end, match.end - match.start)
    const isJoined = rule.with.some(
      (other) =>
        (saysNot ? findMatch(other, sentence, 0) : nextMatch(rule, other, { sentence, from: 0 })) !== undefined,
    )
    if (rule.with.length === 0 || isJoined) return match
  }
  return undefined
}

/** Kinds whose words mean nothing when they are denied. Of the others a "not" is the point. */
const DENIABLE = new Set(['data-exfiltration', 'tool-shadowing', 'capability-mismatch', 'delayed-change'])

function nextMatch(
  { kind }: ScreeningRule,
  pattern: Pattern,
  place: { readonly sentence: ReadSentence; readonly from: number },
): Match | undefined {
  const { sentence } = place
  let { from } = place
  for (;;) {
    const match = findMatch(pattern, sentence, from)
    if (match === undefined) return undefined
    const isDenied = DENIABLE.has(kind) && isNegated(sentence.tokens, match.start)
    if (!isDenied && !isMention(sentence.tokens, match) && !isOtherStatement(sentence.tokens, match)) return match
    from = match.start + 1
  }
}
