import type { Approval } from '../../bridge/approval.ts'

/** What the log says of an approval: nothing of the input. */
export function factsOf({ id, tenant, agent, toolId, callId, state, decidedBy: by }: Approval) {
  return { approval: id, tenant, agent, tool: toolId, call: callId, state, ...(by !== undefined && { by }) }
}
