import { randomUUID } from 'node:crypto'
import type { Pending } from '../../../../bridge/approval.ts'
import type { JsonObject } from '../../../../catalog/json.ts'
import type { TurnEvent } from '../../../turn/turn.ts'
import { HttpError } from '../../../http/http-error.ts'
import type { AnswerHead } from './chat-chunks.ts'
import type { ChatRequest } from '../reading/chat-request.ts'

/** One answer under way: the turn's events and what the client wants of them. */
export interface ChatAnswer {
  readonly chat: ChatRequest
  readonly turnId: string
  readonly events: AsyncGenerator<TurnEvent>
  /** Calls of server-side tools are shown to a client that asks for them. */
  readonly showsCalls: boolean
  readonly created: number
  readonly heartbeatMs: number
  readonly headDelayMs: number
}

export function newAnswerHead({ chat, created }: Pick<ChatAnswer, 'chat' | 'created'>): AnswerHead {
  return { id: `chatcmpl-${randomUUID().replaceAll('-', '')}`, created, model: chat.model }
}

/** A server-side call as a client sees it that asked for `x-drawbridge-events: calls`. */
export function shownEvent(
  event: Extract<TurnEvent, { readonly kind: 'call-started' | 'call-settled' | 'call-waiting' }>,
): JsonObject {
  const { kind, ...fields } = event
  if (kind !== 'call-waiting') return { event: kind, ...fields }
  return { event: kind, ...fields, pending: event.pending.map((each) => ({ ...each })) }
}

/** The turn ended without an end of its own: its client left and reads no answer, or the gateway is stopping. */
export function cancelledTurn(): HttpError {
  return new HttpError('unavailable', 'the turn was cancelled, since the gateway is stopping; ask again')
}

/** The machine-readable half of what a client is told of a parked turn. */
export function waitingField(turnId: string, pending: readonly Pending[]): JsonObject {
  return { turn: turnId, pending: pending.map((each) => ({ ...each })) }
}

/** Links to what a held answer waits for, as a header says it. */
export function waitLinks(pending: readonly Pending[]): string {
  return pending
    .flatMap((each) => ('approval' in each ? [`</v1/approvals/${each.approval}>; rel=monitor`] : []))
    .join(', ')
}
