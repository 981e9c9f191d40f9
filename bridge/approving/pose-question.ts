import { canonicalJson } from '../../catalog/json.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { Verdict } from '../../policy/decide.ts'
import type { HookApproval } from '../hooks/read-decision.ts'
import { APPROVAL_DECISIONS } from '../hooks/read-decision.ts'
import { APPROVAL_DESCRIPTION_MAX_LENGTH, APPROVAL_TITLE_MAX_LENGTH } from '../limits.ts'
import type { Question } from './frozen-call.ts'

export interface Asking {
  readonly tool: Tool
  readonly input: JsonObject
  readonly verdict: Verdict
  /** The first that a hook required. */
  readonly hook: HookApproval | undefined
}

/** What is asked about a call, or undefined where nobody has to be. A hook's own words win over a rule's. */
export function poseQuestion({ tool, input, verdict, hook }: Asking): Question | undefined {
  if (hook !== undefined) {
    const { plugin, title, description, severity, allowedDecisions, timeoutMs } = hook
    return {
      title: title ?? titleOf(tool),
      description: description ?? describeCall(tool, input),
      severity,
      allowedDecisions,
      cause: { by: 'hook', where: plugin },
      ...(timeoutMs !== undefined && { timeoutMs }),
    }
  }
  // What a rule would ask about a tool of the client's is the client's to ask: it is the client that does it.
  if (verdict.kind !== 'ask' || tool.source === 'client') return undefined
  const { rule, reason } = verdict
  return {
    title: titleOf(tool),
    description: cut(reason ?? describeCall(tool, input), APPROVAL_DESCRIPTION_MAX_LENGTH),
    severity: tool.annotations.destructiveHint === true ? 'critical' : 'warning',
    allowedDecisions: APPROVAL_DECISIONS,
    // The one word of configuration stands for rules that nobody wrote.
    cause: { by: rule === DEFAULT_RULE ? 'default' : 'rule', where: rule, ...(reason !== undefined && { reason }) },
  }
}

const DEFAULT_RULE = 'tools.approvals'

function titleOf(tool: Tool): string {
  // A server's own words: one line, whatever it wrote, since it stands in lists and in messages of ours.
  const line = `Call ${tool.title ?? tool.name} of ${tool.owner}`.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
  return cut(line, APPROVAL_TITLE_MAX_LENGTH)
}

/** What is said of a call where neither a rule nor a hook says anything. */
export function describeCall(tool: Tool, input: JsonObject): string {
  return cut(`${tool.id} with ${canonicalJson(input)}`, APPROVAL_DESCRIPTION_MAX_LENGTH)
}

function cut(text: string, maxLength: number): string {
  return (text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`).toWellFormed()
}
