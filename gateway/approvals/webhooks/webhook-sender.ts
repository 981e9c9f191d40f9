import pRetry from 'p-retry'
import type { Logger } from 'pino'
import type { OutboxEntry, WebhookOutbox } from '../../store/webhook-outbox.ts'
import type { DueTimer } from '../due-timer.ts'
import { createDueTimer } from '../due-timer.ts'
import {
  WEBHOOK_BATCH_ROWS,
  WEBHOOK_RETRIES,
  WEBHOOK_RETRY_MS,
  WEBHOOK_RETRY_MS_MAX,
  WEBHOOK_ROUND_MS,
} from '../limits.ts'
import type { PostWebhook } from './post-webhook.ts'
import { ReceiverGone } from './post-webhook.ts'
import type { WebhookSettings } from './webhook-notices.ts'

export interface WebhookSenderDeps {
  readonly outbox: WebhookOutbox
  readonly webhooks: () => readonly WebhookSettings[]
  /** Messages that may wait for one receiver. */
  readonly backlog: () => number
  readonly post: PostWebhook
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly now: () => number
  /** First wait between the attempts of a round; 500 ms where it is not said. */
  readonly retryMs?: number
}

/** Sends what waits in the outbox, in the background. */
export interface WebhookSender {
  /** Something was put there. */
  look(): void
  /** What is under way is broken off and sent again after the next start. Safe to call twice. */
  close(): Promise<void>
}

/**
 * Each address has a queue of its own, so that one that is down holds up nobody else; within it messages go out in
 * their order. At least once: whoever was sent one twice knows it by its id.
 */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const stop = new AbortController()
  const queues = new Map<string, Promise<void>>()
  const onError = (error: unknown): void => deps.log.error({ err: error }, 'the outbox of webhooks failed')
  const timer: DueTimer = createDueTimer({
    work: async () => {
      await dropOldest(deps)
      for (const url of await deps.outbox.listDueUrls(deps.now(), [...queues.keys()])) {
        if (stop.signal.aborted) return
        const queue = sendAllTo(url, deps, stop.signal)
          .catch(onError)
          .finally(() => {
            queues.delete(url)
            timer.look()
          })
        queues.set(url, queue)
      }
    },
    nextMs: () => deps.outbox.nextDueMs([...queues.keys()]),
    onError,
    now: deps.now,
  })
  timer.look()
  return {
    look: () => timer.look(),
    async close() {
      stop.abort(new Error('the gateway is stopping'))
      await timer.stop()
      await Promise.all(queues.values())
    },
  }
}

/** A receiver that is down, or slower than what it is told of, must not fill the disk; what is newest counts most. */
async function dropOldest({ outbox, backlog, log }: WebhookSenderDeps): Promise<void> {
  const backlogMax = backlog()
  for (const { url, count } of await outbox.dropOldest(backlogMax)) {
    log.error(
      { url, messages: count, backlog: backlogMax },
      'too many messages wait for a receiver; the oldest were dropped',
    )
  }
}

async function sendAllTo(url: string, deps: WebhookSenderDeps, signal: AbortSignal): Promise<void> {
  const receiver = deps.webhooks().find((each) => each.url === url)
  if (receiver === undefined) {
    const dropped = await deps.outbox.removeAllTo(url)
    deps.log.warn({ url, messages: dropped }, 'messages to a receiver that is configured no more were dropped')
    return
  }
  for (;;) {
    const entries = await deps.outbox.listDue(url, deps.now(), WEBHOOK_BATCH_ROWS)
    for (const entry of entries) {
      const isSent = await sendOne(entry, { secret: receiver.secret, signal, deps })
      if (!isSent) return
    }
    if (entries.length === 0) return
  }
}

interface Sending {
  readonly secret: string
  readonly signal: AbortSignal
  readonly deps: WebhookSenderDeps
}

/** False where the rest of the queue has to wait. */
async function sendOne(entry: OutboxEntry, { secret, signal, deps }: Sending): Promise<boolean> {
  const { id, url, failedRounds } = entry
  const facts = { url, message: id }
  try {
    await pRetry(() => deps.post(entry, secret, signal), {
      retries: WEBHOOK_RETRIES,
      minTimeout: deps.retryMs ?? WEBHOOK_RETRY_MS,
      maxTimeout: WEBHOOK_RETRY_MS_MAX,
      factor: 3,
      randomize: true,
      shouldRetry: ({ error }) => !(error instanceof ReceiverGone),
      signal,
    })
  } catch (error) {
    if (signal.aborted) return false
    const waitMs = error instanceof ReceiverGone ? undefined : WEBHOOK_ROUND_MS[failedRounds]
    const reason = error instanceof Error ? error.message : String(error)
    if (waitMs === undefined) {
      deps.log.error({ ...facts, reason }, 'a webhook was given up')
      await deps.outbox.remove(id)
      return true
    }
    deps.log.warn({ ...facts, reason, waitMs }, 'a webhook did not arrive; it is sent again later')
    await deps.outbox.postpone(entry, deps.now() + Math.round(waitMs * (1 + Math.random() / 2)))
    return false
  }
  deps.log.info(facts, 'webhook sent')
  await deps.outbox.remove(id)
  return true
}
