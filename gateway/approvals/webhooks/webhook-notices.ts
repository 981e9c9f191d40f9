import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../catalog/json.ts'
import type { OutboxEntry } from '../../store/webhook-outbox.ts'

export type WebhookEventType = 'approval.requested' | 'approval.decided' | 'turn.finished'

/** Something that receivers are told of; `data` is plain JSON and redacted. */
export interface WebhookEvent {
  readonly type: WebhookEventType
  readonly tenant: string
  readonly data: object
}

export interface WebhookSettings {
  readonly url: string
  readonly secret: string
  readonly events: readonly string[]
}

/** The messages that an event makes, one for each receiver that wants it; they are kept with what made them. */
export type NoticesOf = (event: WebhookEvent) => readonly OutboxEntry[]

export function createNoticesOf(deps: {
  readonly webhooks: () => readonly WebhookSettings[]
  readonly now: () => number
}): NoticesOf {
  return ({ type, tenant, data }) => {
    const createdMs = deps.now()
    const plain: JsonObject = JSON.parse(JSON.stringify(data))
    const body = { type, timestamp: new Date(createdMs).toISOString(), data: plain }
    return deps
      .webhooks()
      .filter(({ events }) => events.includes(type))
      .map(({ url }) => ({
        id: `msg_${randomUUID()}`,
        tenant,
        url,
        body,
        createdMs,
        dueMs: createdMs,
        failedRounds: 0,
      }))
  }
}
