import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Pending } from '../../../bridge/approval.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Parked } from './follow-end.ts'

/** What a model and its person have to know of a call that waits: what for, how it is decided, how it goes on. */
export function pendingAnswer({ runId, waiting: pending }: Parked, isPromised: boolean): CallToolResult {
  const waiting: JsonObject = {
    status: 'waiting',
    message:
      `nothing of this was done yet: a person has to allow it first (${pending.map(shown).join('; ')}). ` +
      'Tell your user. Who may decides it by "drawbridge approvals resolve <id> allow-once"; ' +
      'then make exactly the same call again, which waits for the decision and gives the result. It is not made twice.',
    pending: pending.map((each) => ({ ...each })),
    ...(runId !== undefined && { run: runId }),
  }
  return waitingAnswer(waiting, isPromised)
}

/** The same of a call whose tool asks something while it runs. */
export function askedAnswer(pending: readonly Pending[], isPromised: boolean): CallToolResult {
  const waiting: JsonObject = {
    status: 'waiting',
    message:
      `the tool is under way and asks something: a person has to answer it (${pending.map(shown).join('; ')}). ` +
      'Tell your user. Who may decides it by "drawbridge approvals show <id>" and "approve <id>" or "deny <id>"; ' +
      'then make exactly the same call again, which waits for the answer and gives the result. It is not made twice.',
    pending: pending.map((each) => ({ ...each })),
  }
  return waitingAnswer(waiting, isPromised)
}

/**
 * Where a tool promises a structured result, clients hold every one that they are given to it (SDK 1.x that of a failed call
 * too), and miss none of a failed call alone.
 */
function waitingAnswer(waiting: JsonObject, isPromised: boolean): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(waiting) }]
  return isPromised ? { content, isError: true } : { content, structuredContent: waiting, isError: false }
}

/** How a call ended that had been parked: its value, without blocks that are not text. */
export function endAnswer(end: JsonObject, isPromised: boolean): CallToolResult {
  const { value } = end
  const isOk = end['outcome'] === 'ok'
  return {
    content: [{ type: 'text', text: isOk && typeof value === 'string' ? value : JSON.stringify(isOk ? value : end) }],
    ...(isOk && isPromised && isJsonObject(value) && { structuredContent: value }),
    isError: !isOk,
  }
}

/** A call whose tool had asked something was under way: the process that it ran in has ended, or it was given up. */
export function lostAnswer(wasUnderWay: boolean): CallToolResult {
  const text = wasUnderWay
    ? 'this call waits no longer; it was under way, and whether it took effect is not known: look before you make it again'
    : 'this call waits no longer; unless somebody allowed it meanwhile nothing of it was done: look, then make it again'
  return errorAnswer(text)
}

/** One request more than the call needed: another one has its end. */
export function goneOnAnswer(): CallToolResult {
  return errorAnswer(
    'this call has ended: its result went to the request that went on with it before; look at what it did before you make it again',
  )
}

/** What the client sends does not belong to what it was answered. */
export function otherCallAnswer(): CallToolResult {
  return errorAnswer(
    'nothing was done: the "requestState" is of another call; send it with the same tool, arguments and headers as the call that it answered',
  )
}

function errorAnswer(error: string): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify({ error }) }], isError: true }
}

function shown(pending: Pending): string {
  if (!('approval' in pending)) return `the client's own "${pending.name}"`
  return `approval ${pending.approval}: ${pending.title}, until ${new Date(pending.expiresMs).toISOString()}`
}
