import type { ApprovalNeed } from '../../policy/rules/approval-need.ts'

/** What a model is told beforehand of the approval that calls of a tool wait for. */
export type DescribedApproval = {
  readonly needed: 'sometimes' | 'always'
  readonly reasons?: readonly string[]
  /** Arguments that decide. */
  readonly dependsOn?: readonly string[]
}

/** Undefined where no call waits. Not where the configuration asks: that is no model's business. */
export function describedApproval(need: ApprovalNeed): DescribedApproval | undefined {
  if (need.needed === 'never') return undefined
  const { needed, reasons, dependsOn } = need
  return { needed, ...(reasons.length > 0 && { reasons }), ...(dependsOn.length > 0 && { dependsOn }) }
}
