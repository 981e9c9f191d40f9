import type { Approval, ApprovalDecision } from '../../bridge/approval.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { ChatCommand } from '../turn/resumer.ts'
import type { GatewayDesk } from './approval-desk.ts'
import type { Decided } from './decision.ts'
import { DECISIONS } from './decision.ts'
import { readFieldWords } from './answers/field-words.ts'

export interface ChatCommandDeps {
  readonly desk: Pick<GatewayDesk, 'decide'>
  /** Ids of what waits in one run. */
  readonly pendingOfRun: (tenant: string, runId: string) => Promise<readonly string[]>
  /** `approvals.chat.senders` in force. */
  readonly senders: () => readonly string[]
}

/**
 * `/approve <id> allow-once|allow-always|deny` as a message of its own; the id of a run stands for all that waits in it.
 * `/approve <id> field=value …` fills in what a tool asks for.
 * Only the senders that the configuration names may, and only where the token vouches for channel and sender: a header
 * alone is a claim of whoever has any token.
 */
export function createChatCommand(deps: ChatCommandDeps): ChatCommand {
  return {
    isHeardFrom: ({ channel, isVouched }) =>
      isVouched === true &&
      deps.senders().some((sender) => sender.startsWith(`channel:${channel}:`) || sender.startsWith('id:')),
    async answer(text, caller) {
      const line = readApproveLine(text)
      if (line.kind === 'none') return undefined
      const by = senderOf(caller, deps.senders())
      if (by.kind === 'refused') return by.message
      if (line.kind === 'malformed') return line.message
      const { tenant, boundTo } = caller
      const ids = line.id.startsWith('run_') ? await deps.pendingOfRun(tenant, line.id) : [line.id]
      if (ids.length === 0) return `Nothing waits for a decision in ${line.id}.`
      const { decision, answer } = line
      const decisions = ids.map((id) => ({ id, decision, ...(answer && { answer }) }))
      const decided = await deps.desk.decide(decisions, { tenant, by: by.name, ...(boundTo && { agents: boundTo }) })
      return decided.map(sentenceOf).join('\n')
    },
  }
}

export type ApproveLine =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly message: string }
  | {
      readonly kind: 'approve'
      readonly id: string
      readonly decision: ApprovalDecision
      readonly answer?: Readonly<Record<string, string>>
    }

const USAGE =
  `Write "/approve <id> ${DECISIONS.join('|')}", with the id that the request shows; ` +
  'where it asks for values, "/approve <id> field=value …".'

const ID_FORM = /^(?:apr_[0-9a-f]{16}|run_[A-Za-z0-9_-]{8,64})$/

/** `none` for every text that does not begin with the command: the model has to see it. */
export function readApproveLine(text: string): ApproveLine {
  const [, command = '', id = '', rest = ''] = /^(\S+)(?:\s+(\S+)(?:\s+(.*))?)?$/s.exec(text.trim()) ?? []
  if (command.toLowerCase() !== '/approve') return { kind: 'none' }
  const [, word = '', after = ''] = /^(\S+)(?:\s+(.*))?$/s.exec(rest.trim()) ?? []
  const decision = DECISIONS.find((each) => each === word.toLowerCase())
  // What comes after may turn it round ("… allow-once? no"): nothing is decided by half a sentence.
  const fields = readFieldWords(decision === undefined ? rest : after)
  if (!ID_FORM.test(id) || fields.kind === 'malformed') return { kind: 'malformed', message: USAGE }
  const hasFields = Object.keys(fields.answer).length > 0
  if (!hasFields)
    return decision === undefined ? { kind: 'malformed', message: USAGE } : { kind: 'approve', id, decision }
  const isAnswer = id.startsWith('apr_') && (decision === undefined || decision === 'allow-once')
  if (!isAnswer) return { kind: 'malformed', message: USAGE }
  return { kind: 'approve', id, decision: 'allow-once', answer: fields.answer }
}

type Sender = { readonly kind: 'known'; readonly name: string } | { readonly kind: 'refused'; readonly message: string }

function senderOf({ channel, sender, isVouched }: Caller, senders: readonly string[]): Sender {
  if (channel === undefined || sender === undefined || isVouched !== true) {
    const message =
      'Approvals cannot be decided in this chat: only the token of a channel can say who writes (drawbridge tokens create --channels). ' +
      'Whoever may decide does so by "drawbridge approvals resolve <id> allow-once".'
    return { kind: 'refused', message }
  }
  if (senders.includes(`channel:${channel}:${sender}`) || senders.includes(`id:${sender}`)) {
    return { kind: 'known', name: `chat:${channel}:${sender}` }
  }
  return { kind: 'refused', message: 'You may not decide approvals: approvals.chat.senders does not name you.' }
}

function sentenceOf(decided: Decided): string {
  switch (decided.kind) {
    case 'absent':
      return `There is no approval ${decided.id}.`
    case 'bad-answer':
      return `${named(decided.approval)} was not answered: ${decided.message}.`
    case 'not-allowed':
      return `${named(decided.approval)} can be decided as ${decided.approval.allowedDecisions.join(', ')}.`
    case 'decided':
      return `${named(decided.approval)} is ${decided.approval.state}.`
    case 'repeated':
      return `${named(decided.approval)} was ${decided.approval.state} already.`
    case 'conflict': {
      const { state, decidedBy } = decided.approval
      return `${named(decided.approval)} is ${state} already${decidedBy === undefined ? '' : `, by ${decidedBy}`}.`
    }
  }
}

function named({ id, title }: Approval): string {
  return title === '' ? id : `${id} ("${title}")`
}
