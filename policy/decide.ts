import type { JsonObject } from '../catalog/json.ts'
import type { Tool } from '../catalog/tool.ts'
import type { Entry } from './entries/entry-index.ts'
import type { LayerKind, PolicyPath } from './layer.ts'
import type { CompiledLayer, LayerVerdict } from './layers/compiled-layer.ts'
import type { ApprovalNeed } from './rules/approval-need.ts'
import { approvalNeed, APPROVALS_PLACE, isAskedByDefault } from './rules/approval-need.ts'
import type { Rule, RuleBook } from './rules/rule-book.ts'
import type { ApprovalDefault } from './settings.ts'
import type { ToolIdentity } from './subject.ts'
import { subjectOf } from './subject.ts'

/** Policy's answer for one tool, with the rule that decided. */
export type Verdict =
  | { readonly kind: 'allow' }
  | {
      readonly kind: 'deny'
      /** Kind of the layer, or `rules`. */
      readonly layer: string
      /** The entry that matched, `allow` where an allow list has none for the tool, or `tools.rules[2]`. */
      readonly rule: string
      /** Where that stands in the configuration. */
      readonly path?: PolicyPath
      /** Written by the operator for whoever made the call. */
      readonly reason?: string
    }
  /** A person or a grant decides. `rule` is its place in the configuration: `tools.rules[2]`, `tools.approvals`. */
  | { readonly kind: 'ask'; readonly rule: string; readonly reason?: string }

/** The policy of one caller. Pure: the same question has the same answer for as long as it is kept. */
export interface CallerPolicy {
  /** What the layers say, whatever the arguments. */
  verdict(tool: ToolIdentity): Verdict
  /** The tool as this caller's view has it; undefined where it is not to be seen. */
  shown(tool: Tool): Tool | undefined
  /** What a call with these final arguments needs: the layers first, then the rules, then `tools.approvals`. */
  decide(tool: Tool, input: JsonObject): Verdict
  approvalNeed(tool: Tool): ApprovalNeed
  /** The rules about a tool, in order. */
  rulesOf(tool: ToolIdentity): readonly Rule[]
  /** Each layer that has something to say to this caller, in order, whatever the ones before it said. */
  judgements(tool: ToolIdentity): readonly LayerJudgement[]
  /** The entry that denies the model these functions of the gateway's own. */
  deniesFunctions(names: readonly string[]): Entry | undefined
  /** Lists that name what is allowed: profiles are not among them. */
  allowLists(): readonly { readonly path: PolicyPath; readonly entries: readonly string[] }[]
}

export interface LayerJudgement {
  readonly layer: LayerKind
  readonly path: PolicyPath
  readonly profile?: string
  readonly vouched?: false
  readonly verdict: LayerVerdict
}

export interface CallerPolicyParts {
  readonly layers: readonly CompiledLayer[]
  readonly rules: RuleBook
  /** A tool as the rules let it be shown to anybody: the same object for all. */
  readonly narrowed: (tool: Tool) => Tool | undefined
  readonly approvals: ApprovalDefault
}

export function createCallerPolicy({ layers, rules, narrowed, approvals }: CallerPolicyParts): CallerPolicy {
  const verdict = (tool: ToolIdentity): Verdict => verdictOf(layers, tool)
  // Tools stay the same objects from one state of the catalog to the next, unless they change.
  const shown = new WeakMap<Tool, Tool | typeof NOT_SHOWN>()
  return {
    verdict,
    shown(tool) {
      const known = shown.get(tool)
      if (known !== undefined) return known === NOT_SHOWN ? undefined : known
      const made = verdict(tool).kind === 'deny' ? undefined : narrowed(tool)
      shown.set(tool, made ?? NOT_SHOWN)
      return made
    },
    decide(tool, input) {
      const layered = verdict(tool)
      return layered.kind === 'deny' ? layered : decideByRules(rules.rulesOf(tool), { tool, input, approvals })
    },
    approvalNeed: (tool) => approvalNeed(rules.rulesOf(tool), isAskedByDefault(approvals, tool.annotations)),
    rulesOf: (tool) => rules.rulesOf(tool),
    judgements(tool) {
      const subject = subjectOf(tool)
      return layers.map((compiled) => ({
        layer: compiled.layer.kind,
        path: compiled.layer.path,
        verdict: compiled.judge(subject),
        ...(compiled.layer.profile !== undefined && { profile: compiled.layer.profile }),
        ...(compiled.layer.isClaimed === true && { vouched: false }),
      }))
    },
    deniesFunctions: (names) => deniedFunction(layers, names),
    allowLists: () =>
      layers.flatMap(({ layer: { allow, profile } }) =>
        allow === undefined || allow.entries.length === 0 || profile !== undefined ? [] : [allow],
      ),
  }
}

const ALLOWED: Verdict = { kind: 'allow' }
const NOT_SHOWN = 'not-shown'

function verdictOf(layers: readonly CompiledLayer[], tool: ToolIdentity): Verdict {
  if (layers.length === 0) return ALLOWED
  const subject = subjectOf(tool)
  for (const compiled of layers) {
    const { layer } = compiled
    const judged = compiled.judge(subject)
    if (judged.kind === 'denied') {
      return { kind: 'deny', layer: layer.kind, rule: judged.entry.text, path: judged.entry.path }
    }
    if (judged.kind === 'left-out') {
      const rule = layer.profile === undefined ? 'allow' : `profile ${layer.profile}`
      return { kind: 'deny', layer: layer.kind, rule, path: judged.path }
    }
  }
  return ALLOWED
}

interface Asked {
  readonly tool: Tool
  readonly input: JsonObject
  readonly approvals: ApprovalDefault
}

/** Deny before ask before allow, wherever they stand; of equals the first. */
function decideByRules(rules: readonly Rule[], { tool, input, approvals }: Asked): Verdict {
  let asking: Rule | undefined
  let isAllowed = false
  for (const rule of rules) {
    if (rule.effect === 'ask' && asking !== undefined) continue
    if (rule.effect === 'allow' && isAllowed) continue
    if (!rule.appliesTo(input)) continue
    if (rule.effect === 'deny') return { kind: 'deny', layer: 'rules', rule: rule.place, path: rule.path, ...why(rule) }
    if (rule.effect === 'ask') asking = rule
    else isAllowed = true
  }
  if (asking !== undefined) return { kind: 'ask', rule: asking.place, ...why(asking) }
  if (isAllowed || !isAskedByDefault(approvals, tool.annotations)) return ALLOWED
  return { kind: 'ask', rule: APPROVALS_PLACE }
}

function why({ reason }: Rule): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}

/**
 * Functions such as `tool_search_code` are no tools: allow lists say nothing of them. An entry denies them that names
 * one, or begins as they do; `*search*` is about tools.
 */
function deniedFunction(layers: readonly CompiledLayer[], names: readonly string[]): Entry | undefined {
  for (const layer of layers) {
    for (const name of names) {
      const entry = layer.denies({ id: name, name, source: '', owner: '', annotations: {} })
      if (entry !== undefined && entry.text.trim().toLowerCase().startsWith('tool_')) return entry
    }
  }
  return undefined
}
