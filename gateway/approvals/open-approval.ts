import { randomBytes } from 'node:crypto'
import type { Approval, ApprovalRequest } from '../../bridge/approval.ts'
import { describeCall } from '../../bridge/approving/pose-question.ts'
import type { JsonObject } from '../../catalog/json.ts'
import type { Grant } from '../store/approval-store.ts'
import { endedApproval } from './end-approval.ts'
import { ID_BYTES } from './limits.ts'
import { shownInput } from './shown-input.ts'

export interface NewApprovalDeps {
  readonly timeoutMs: number
  readonly redactText: (text: string) => string
  readonly redactInput: (input: JsonObject) => JsonObject
  readonly nowMs: number
}

const TITLE_MAX_CHARS = 80
const DESCRIPTION_MAX_CHARS = 512

/** The pending row of a request; what people are shown of it is redacted. */
export function newApproval(request: ApprovalRequest, deps: NewApprovalDeps): Approval {
  const { caller, tool, callId, runId, turnId, inputHash, severity, allowedDecisions, cause } = request
  const { tenant, agent, session, channel, sender, isVouched = false } = caller
  const { nowMs } = deps
  const input = deps.redactInput(request.input)
  // What nobody described is described by its input, as it may be seen: in a text the names above a secret are lost.
  const isPlain = request.description === describeCall(tool, request.input)
  const text = (whole: string, chars: number): string => deps.redactText(whole).slice(0, chars).toWellFormed()
  return {
    id: `apr_${randomBytes(ID_BYTES).toString('hex')}`,
    tenant,
    agent,
    state: 'pending',
    callId,
    inputHash,
    severity,
    allowedDecisions,
    cause,
    ...(request.question && { question: request.question }),
    toolId: tool.id,
    schemaHash: tool.schemaHash,
    input: shownInput(input),
    title: text(request.title, TITLE_MAX_CHARS),
    description: text(isPlain ? describeCall(tool, input) : request.description, DESCRIPTION_MAX_CHARS),
    createdMs: nowMs,
    expiresMs: nowMs + (request.timeoutMs ?? deps.timeoutMs),
    ...(runId !== undefined && { runId }),
    ...(turnId !== undefined && { turnId }),
    ...(session !== undefined && { session }),
    ...(channel !== undefined && { channel }),
    ...(sender !== undefined && { sender }),
    ...((channel ?? sender) !== undefined && { isVouched }),
  }
}

/** Allowed from the start, by what a person always allowed. */
export function grantedApproval(approval: Approval, grant: Grant): Approval {
  return endedApproval(approval, { state: 'allowed-always', by: `grant:${grant.id}`, atMs: approval.createdMs })
}

/** Whether the row of a call is about what the call now is: what was approved is what runs. */
export function isAbout(approval: Approval, { tool, inputHash }: ApprovalRequest): boolean {
  return approval.toolId === tool.id && approval.schemaHash === tool.schemaHash && approval.inputHash === inputHash
}

export const CHANGED_REASON = 'the call was asked for again with another tool, schema or input'
