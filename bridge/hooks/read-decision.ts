import { copyJson } from '../../catalog/copy-json.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { ApprovalDecision, ApprovalSeverity } from '../approval.ts'
import {
  APPROVAL_DESCRIPTION_MAX_LENGTH,
  APPROVAL_TIMEOUT_MAX_MS,
  APPROVAL_TITLE_MAX_LENGTH,
  BLOCK_REASON_MAX_LENGTH,
} from '../limits.ts'

/** An approval that a hook requires, read and bounded. */
export interface HookApproval {
  readonly plugin: string
  readonly title?: string
  readonly description?: string
  readonly severity: ApprovalSeverity
  readonly timeoutMs?: number
  readonly allowedDecisions: readonly ApprovalDecision[]
}

export type ReadDecision =
  | {
      readonly kind: 'go'
      readonly params?: JsonObject
      readonly approval?: HookApproval
      readonly toolsAllow?: readonly string[]
    }
  | { readonly kind: 'block'; readonly reason: string }

export const APPROVAL_DECISIONS = ['allow-once', 'allow-always', 'deny'] as const
const SEVERITIES = ['info', 'warning', 'critical'] as const

/** A handler is a stranger's code: what it returns is checked. An unreadable decision fails closed. */
export function readDecision(value: unknown, plugin: string): ReadDecision {
  if (value === undefined || value === null) return { kind: 'go' }
  if (!isJsonObject(value)) return unreadable(plugin, 'an unreadable decision')
  if (value['block'] !== undefined && value['block'] !== false) {
    const reason = value['blockReason']
    const isText = typeof reason === 'string' && reason !== ''
    return { kind: 'block', reason: isText ? cut(reason, BLOCK_REASON_MAX_LENGTH) : `blocked by plugin "${plugin}"` }
  }
  const { requireApproval, toolsAllow } = value
  // What is validated, hashed and approved is this copy, and so must be what runs.
  const params = value['params'] === undefined ? undefined : copyJson(value['params'])
  if (value['params'] !== undefined && !isJsonObject(params))
    return unreadable(plugin, 'params that are not a JSON object')
  if (toolsAllow !== undefined && !isTexts(toolsAllow)) return unreadable(plugin, 'toolsAllow that is no list of texts')
  const approval = requireApproval === undefined ? undefined : readApproval(requireApproval, plugin)
  if (typeof approval === 'string') return unreadable(plugin, approval)
  return {
    kind: 'go',
    ...(isJsonObject(params) && { params }),
    ...(toolsAllow !== undefined && { toolsAllow: [...toolsAllow] }),
    ...(approval !== undefined && { approval }),
  }
}

/** The approval, or what is wrong with it. */
function readApproval(value: unknown, plugin: string): HookApproval | string {
  if (!isJsonObject(value)) return 'a requireApproval that is not an object'
  const { title, description, severity = 'warning', timeoutMs, allowedDecisions = APPROVAL_DECISIONS } = value
  if (!isOptionalText(title) || !isOptionalText(description)) return 'a requireApproval whose texts are none'
  const known = SEVERITIES.find((each) => each === severity)
  if (known === undefined) return `a requireApproval with an unknown severity (there are ${SEVERITIES.join(', ')})`
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0))
    return 'a requireApproval with a timeoutMs that is no positive number'
  const decisions = readDecisions(allowedDecisions)
  if (decisions === undefined)
    return `a requireApproval with unknown allowedDecisions (there are ${APPROVAL_DECISIONS.join(', ')})`
  return {
    plugin,
    severity: known,
    allowedDecisions: decisions,
    ...(title !== undefined && title !== '' && { title: cut(title, APPROVAL_TITLE_MAX_LENGTH) }),
    ...(description !== undefined && { description: cut(description, APPROVAL_DESCRIPTION_MAX_LENGTH) }),
    ...(typeof timeoutMs === 'number' && { timeoutMs: Math.min(Math.ceil(timeoutMs), APPROVAL_TIMEOUT_MAX_MS) }),
  }
}

/** Denying is always possible: who must not allow may still say no. */
function readDecisions(value: unknown): readonly ApprovalDecision[] | undefined {
  if (!Array.isArray(value)) return undefined
  const isKnown = value.every((each) => APPROVAL_DECISIONS.some((known) => known === each))
  return isKnown ? APPROVAL_DECISIONS.filter((known) => known === 'deny' || value.includes(known)) : undefined
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function cut(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed()
}

function unreadable(plugin: string, what: string): ReadDecision {
  return { kind: 'block', reason: `a hook of plugin "${plugin}" gave ${what}` }
}
