import type { CallerPolicy, Verdict } from './decide.ts'
import type { Entry } from './entries/entry-index.ts'
import type { LayerKind, PolicyPath } from './layer.ts'
import type { ApprovalNeed } from './rules/approval-need.ts'
import type { Tool } from '../catalog/tool.ts'

/** Why policy answers as it does for one tool and caller. */
export interface PolicyExplanation {
  readonly verdict: Verdict
  /** Every layer that has something to say to this caller, in the order in which they are asked. */
  readonly layers: readonly ExplainedLayer[]
  /** Every rule about the tool, in order; which of them applies to a call, its arguments say. */
  readonly rules: readonly ExplainedRule[]
  readonly approval: ApprovalNeed
}

export interface ExplainedLayer {
  readonly layer: LayerKind
  /** Of the scope. */
  readonly path: PolicyPath
  readonly profile?: string
  /** `false`: the caller names the scope, and its token does not vouch for that; the layer for all others holds too. */
  readonly vouched?: false
  /** `pass`: it names the tool nowhere, and lets through what it does not name. */
  readonly verdict: 'allow' | 'pass' | 'deny'
  /** What decided; absent where nothing names the tool. */
  readonly entry?: Entry
  /** Where it is left out: the list that does not name it, or what its profile wants a tool to say of itself. */
  readonly missing?: { readonly from: 'allow' | 'annotations'; readonly path: PolicyPath }
}

export interface ExplainedRule {
  readonly place: string
  readonly path: PolicyPath
  readonly effect: 'allow' | 'ask' | 'deny'
  readonly reason?: string
  readonly applies: 'always' | 'by-arguments' | 'never'
  /** Arguments that decide; absent where any may. */
  readonly dependsOn?: readonly string[]
}

export function explainPolicy(policy: CallerPolicy, tool: Tool): PolicyExplanation {
  return {
    verdict: policy.verdict(tool),
    layers: policy.judgements(tool).map(({ verdict, ...layer }) => {
      switch (verdict.kind) {
        case 'denied':
          return { ...layer, verdict: 'deny', entry: verdict.entry }
        case 'left-out':
          return { ...layer, verdict: 'deny', missing: { from: verdict.why, path: verdict.path } }
        case 'pass':
          return verdict.entry === undefined
            ? { ...layer, verdict: 'pass' }
            : { ...layer, verdict: 'allow', entry: verdict.entry }
      }
    }),
    rules: policy.rulesOf(tool).map((rule) => ({
      place: rule.place,
      path: rule.path,
      effect: rule.effect,
      applies: rule.isUnconditional ? 'always' : rule.reads?.size === 0 ? 'never' : 'by-arguments',
      ...(rule.reason !== undefined && { reason: rule.reason }),
      ...(rule.reads !== undefined && rule.reads.size > 0 && { dependsOn: [...rule.reads] }),
    })),
    approval: policy.approvalNeed(tool),
  }
}
