import type { JsonObject } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { matchesAnnotations } from '../annotations.ts'
import { createEntryIndex } from '../entries/entry-index.ts'
import type { Groups } from '../entries/groups.ts'
import type { PolicyPath } from '../layer.ts'
import type { PolicyRule } from '../settings.ts'
import type { ToolIdentity } from '../subject.ts'
import { subjectOf } from '../subject.ts'
import { propertiesRead } from './properties-read.ts'
import type { MatchWhen } from './when/judge.ts'
import { createJudgeWhen } from './when/judge-when.ts'

/** One rule of the configuration, ready to be asked. */
export interface Rule {
  /** `tools.rules[2]`. */
  readonly place: string
  readonly path: PolicyPath
  readonly effect: PolicyRule['effect']
  readonly reason?: string
  readonly when?: JsonObject
  /** The arguments that it looks at; undefined where that cannot be told from its schema. */
  readonly reads: ReadonlySet<string> | undefined
  /** True where the arguments do not matter. */
  readonly isUnconditional: boolean
  appliesTo(input: JsonObject): boolean
}

export interface RuleBook {
  /** The rules about a tool, in order. */
  rulesOf(tool: ToolIdentity): readonly Rule[]
}

export function createRuleBook(rules: readonly PolicyRule[], groups: Groups, matches: MatchWhen): RuleBook {
  if (rules.length === 0) return { rulesOf: () => NONE }
  const index = createEntryIndex({ path: ['tools', 'rules'], entries: rules.map(({ tool }) => tool ?? '*') }, groups)
  const compiled = rules.map((rule, position) => compileRule(rule, position, matches))
  // A tool is the same object until it changes, and is asked for again and again.
  const byTool = new WeakMap<ToolIdentity, readonly Rule[]>()
  return {
    rulesOf(tool) {
      const known = byTool.get(tool)
      if (known !== undefined) return known
      const found = index.all(subjectOf(tool)).flatMap((position): readonly Rule[] => {
        const [rule, wanted] = [compiled[position], rules[position]?.annotations ?? {}]
        return rule !== undefined && matchesAnnotations(tool.annotations, wanted) ? [rule] : []
      })
      byTool.set(tool, found)
      return found
    },
  }
}

const NONE: readonly Rule[] = []

function compileRule(rule: PolicyRule, position: number, matches: MatchWhen): Rule {
  const { effect, reason } = rule
  const when = isJsonObject(rule.when) ? rule.when : undefined
  const reads = when === undefined ? NO_ARGUMENTS : propertiesRead(when)
  const judge = when === undefined ? undefined : createJudgeWhen(when, matches)
  const appliesTo = (input: JsonObject): boolean => {
    if (judge === undefined) return true
    const match = judge(input)
    // What cannot be decided is taken for what keeps the call back.
    return match === 'yes' || (match === 'undecided' && effect !== 'allow')
  }
  return {
    place: `tools.rules[${position}]`,
    path: ['tools', 'rules', position],
    effect,
    reads,
    isUnconditional: reads?.size === 0 && appliesTo({}),
    appliesTo,
    ...(reason !== undefined && { reason }),
    ...(when !== undefined && { when }),
  }
}

const NO_ARGUMENTS: ReadonlySet<string> = new Set()
