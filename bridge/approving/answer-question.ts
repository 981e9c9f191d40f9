import type { Caller } from '../../catalog/caller.ts'
import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { hashJson, isJsonObject } from '../../catalog/json.ts'
import type { ToolAnswer, ToolQuestion } from '../../catalog/question.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { ApprovalDesk, ApprovalState } from '../approval.ts'
import { QUESTION_TITLE_MAX_LENGTH } from '../limits.ts'

/** A call that its tool asks a question of. */
export interface AskedCall {
  readonly callId: string
  readonly caller: Caller
  readonly tool: Tool
}

/** Where a tool's question goes while its call is under way. */
export type AnswerQuestion = (call: AskedCall, question: ToolQuestion, signal: AbortSignal) => Promise<ToolAnswer>

/**
 * Puts a question that a yes answers before whoever decides the caller's approvals. One that wants more than a yes is
 * declined: nobody can fill in a form there. No grant answers a question, and no answer makes a grant.
 */
export function createAnswerQuestion(desk: ApprovalDesk): AnswerQuestion {
  return async ({ callId, caller, tool }, { message, schema, waitMs }, signal) => {
    const yes = affirmation(schema)
    if (yes === undefined) return { action: 'decline' }
    // What a yes says is part of what is asked: it is seen, and the answer to one question is none to another of its words.
    const input = { question: message, ...(Object.keys(yes).length > 0 && { yes }) }
    const inputHash = hashJson(input)
    const opened = await desk.open({
      // Asked again by the same call, it is the same question with the same answer.
      callId: `${callId}:${inputHash.slice(0, 12)}`,
      caller,
      tool,
      input,
      inputHash,
      title: `${tool.name} asks`.slice(0, QUESTION_TITLE_MAX_LENGTH).toWellFormed(),
      description: message.slice(0, 512).toWellFormed(),
      severity: 'warning',
      allowedDecisions: ['allow-once', 'deny'],
      timeoutMs: waitMs,
      cause: { by: 'hook', where: `question of ${tool.source}:${tool.owner}`, reason: 'the tool asks while it runs' },
    })
    if (opened.state === 'no-room') return { action: 'cancel' }
    if (opened.state !== 'pending') return answerOf(opened.state, yes)
    try {
      const settled = await desk.settled(
        caller.tenant,
        opened.id,
        AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
      )
      return answerOf(settled.state, yes)
    } catch (error) {
      await desk.cancel(caller.tenant, [opened.id], 'the tool no longer waits for an answer')
      if (signal.aborted) throw error
      return { action: 'cancel' }
    }
  }
}

/** What a yes says in the fields of the answer; undefined where it does not say all that is asked for. */
function affirmation({ required = [], properties = {} }: JsonObject): JsonObject | undefined {
  if (!Array.isArray(required) || !isJsonObject(properties)) return undefined
  const isTick = (name: JsonValue): name is string =>
    typeof name === 'string' && Object.hasOwn(properties, name) && isBoolean(properties[name])
  const [asked, ...more] = required.length > 0 ? required : Object.keys(properties)
  if (asked !== undefined && more.length === 0 && isTick(asked)) return Object.fromEntries([[asked, true]])
  return required.length === 0 ? {} : undefined
}

function isBoolean(field: JsonValue | undefined): boolean {
  return isJsonObject(field) && field['type'] === 'boolean'
}

function answerOf(state: ApprovalState, yes: JsonObject): ToolAnswer {
  switch (state) {
    case 'allowed-once':
    case 'allowed-always':
      return { action: 'accept', content: yes }
    case 'denied':
      return { action: 'decline' }
    case 'pending':
    case 'expired':
    case 'cancelled':
      return { action: 'cancel' }
  }
}
