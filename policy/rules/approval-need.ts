import type { ToolAnnotations } from '../../catalog/tool.ts'
import { effectiveAnnotations } from '../annotations.ts'
import type { ApprovalDefault } from '../settings.ts'
import type { Rule } from './rule-book.ts'

/** Whether calls of a tool wait for an approval; what of the arguments it hangs on, not from which value on. */
export interface ApprovalNeed {
  readonly needed: 'never' | 'sometimes' | 'always'
  /** Places in the configuration of what asks. */
  readonly rules: readonly string[]
  readonly reasons: readonly string[]
  /** Arguments that decide; empty where `needed` is not `sometimes`, or where any argument may. */
  readonly dependsOn: readonly string[]
}

export const APPROVALS_PLACE = 'tools.approvals'

export function approvalNeed(rules: readonly Rule[], isAskedByDefault: boolean): ApprovalNeed {
  const asks = rules.filter((rule) => rule.effect === 'ask')
  const sure = asks.filter((rule) => rule.isUnconditional)
  if (sure.length > 0) return { needed: 'always', ...toldOf(sure), dependsOn: [] }
  const allows = rules.filter((rule) => rule.effect === 'allow')
  if (isAskedByDefault && allows.length === 0) {
    return { needed: 'always', rules: [...asks.map(({ place }) => place), APPROVALS_PLACE], reasons: [], dependsOn: [] }
  }
  const isOpen = isAskedByDefault && !allows.some((rule) => rule.isUnconditional)
  const open = isOpen ? [...asks, ...allows] : asks
  if (open.length === 0) return { needed: 'never', rules: [], reasons: [], dependsOn: [] }
  const hasUnknown = open.some((rule) => rule.reads === undefined)
  const dependsOn = hasUnknown ? [] : [...new Set(open.flatMap((rule) => [...(rule.reads ?? [])]))]
  const { rules: places, reasons } = toldOf(asks)
  const byDefault = isOpen ? [APPROVALS_PLACE] : []
  return { needed: 'sometimes', rules: [...places, ...byDefault], reasons, dependsOn }
}

function toldOf(rules: readonly Rule[]): Pick<ApprovalNeed, 'rules' | 'reasons'> {
  return {
    rules: rules.map(({ place }) => place),
    reasons: rules.flatMap(({ reason }) => (reason === undefined ? [] : [reason])),
  }
}

/** What a tool leaves unsaid counts as the protocol has it: unless it says otherwise it writes, and destroys. */
export function isAskedByDefault(word: ApprovalDefault, said: ToolAnnotations): boolean {
  const { readOnlyHint, destructiveHint } = effectiveAnnotations(said)
  switch (word) {
    case 'off':
      return false
    case 'destructive':
      return destructiveHint
    case 'writes':
      return !readOnlyHint
    case 'all':
      return true
  }
}
