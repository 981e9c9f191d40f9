import type { ApprovalCause, ApprovalRequest } from '../../bridge/approval.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { SchemaChecker } from '../../catalog/schema.ts'
import { createJudgeWhen } from '../../policy/rules/when/judge-when.ts'
import { createMatchWhen } from '../../policy/rules/when/match-when.ts'
import type { ApprovalStore, Grant } from '../store/approval-store.ts'
import { BY_GATEWAY } from './end-approval.ts'

export interface FindGrantDeps {
  readonly store: Pick<ApprovalStore, 'listGrantsInForce' | 'endGrant'>
  readonly schemas: Pick<SchemaChecker, 'validateOutput'>
  readonly now: () => number
}

/**
 * The grant that covers a call: same tool with the same schema, same agent, asked for by the same rule or hook, in time,
 * and with arguments that match. A grant of an older schema is ended here, so that it does not come back with it.
 */
export async function findGrant(request: ApprovalRequest, deps: FindGrantDeps): Promise<Grant | undefined> {
  // Who asks for a decision each time means it, whatever was always allowed elsewhere.
  if (!request.allowedDecisions.includes('allow-always')) return undefined
  const { caller, tool, cause, input } = request
  const { tenant } = caller
  const nowMs = deps.now()
  for (const grant of await deps.store.listGrantsInForce(tenant, caller.agent, tool.id)) {
    if (grant.schemaHash !== tool.schemaHash) {
      const end = { kind: 'voided', atMs: nowMs, by: BY_GATEWAY, reason: VOIDED_REASON } as const
      await deps.store.endGrant(tenant, grant.id, end)
      continue
    }
    const isInTime = grant.untilMs === undefined || nowMs < grant.untilMs
    if (isInTime && isSameCause(grant.cause, cause) && matches(grant.args, input, deps)) return grant
  }
  return undefined
}

/**
 * By what the rule says, not by its number: another rule may stand there now, and this one elsewhere. A hook is known by
 * its plugin, and what is asked about by default is one cause, however much is.
 */
function isSameCause(granted: Grant['cause'], asked: ApprovalCause): boolean {
  if (granted.by !== asked.by) return false
  switch (asked.by) {
    case 'default':
      return true
    case 'rule':
      return asked.hash !== undefined && granted.hash === asked.hash
    case 'hook':
      return granted.where === asked.where
  }
}

export const VOIDED_REASON = "the tool's schema has changed since it was allowed"

function matches(pattern: JsonObject | undefined, input: JsonObject, { schemas }: FindGrantDeps): boolean {
  if (pattern === undefined) return true
  // As the rules judge it: what the pattern cannot compare ("500" where it bounds a number) was not always allowed.
  return createJudgeWhen(pattern, createMatchWhen(schemas))(input) === 'yes'
}
