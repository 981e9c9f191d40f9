import { Webhook } from 'standardwebhooks'
import { createAddressGuard } from '../../../catalog/sources/mcp/transport/http/address-guard.ts'
import { createGuardedFetch } from '../../../catalog/sources/mcp/transport/http/guarded-fetch.ts'
import type { OutboxEntry } from '../../store/webhook-outbox.ts'
import { WEBHOOK_ANSWER_BYTES, WEBHOOK_ATTEMPT_MS } from '../limits.ts'

/** The receiver says itself that it wants nothing more: 410. */
export class ReceiverGone extends Error {
  override readonly name = 'ReceiverGone'
}

/** Sends one message once. Rejects when it did not arrive; with `ReceiverGone` when it never will. */
export type PostWebhook = (entry: OutboxEntry, secret: string, signal: AbortSignal) => Promise<void>

/**
 * By POST, signed as Standard Webhooks has it. Addresses of metadata services and other link-local ones are refused
 * whatever name leads to them, and no redirect is followed: the receiver is the one that was configured, or none.
 */
export const postWebhook: PostWebhook = async (entry, secret, signal) => {
  const { hostname } = new URL(entry.url)
  const guard = createAddressGuard({ configuredHost: hostname, allowPrivateAddresses: true, forbidden: [] })
  const guarded = createGuardedFetch({
    guard,
    maxBodyBytes: WEBHOOK_ANSWER_BYTES,
    onOversize: () => undefined,
  })
  const body = JSON.stringify(entry.body)
  try {
    const response = await guarded.fetch(entry.url, {
      method: 'POST',
      headers: headersOf({ id: entry.id, body, secret }),
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(WEBHOOK_ATTEMPT_MS)]),
    })
    await response.body?.cancel()
    if (response.ok) return
    const answered = `the receiver answered ${response.status}`
    throw response.status === 410 ? new ReceiverGone(answered) : new Error(answered)
  } finally {
    guarded.close()
  }
}

interface Signed {
  readonly id: string
  readonly body: string
  readonly secret: string
}

/** Signed anew at each attempt: a receiver refuses what is older than five minutes. */
function headersOf({ id, body, secret }: Signed): Readonly<Record<string, string>> {
  const now = new Date()
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signer(secret).sign(id, now, body),
  }
}

/** A text without the prefix of the standard is no base64, whatever it looks like. */
function signer(secret: string): Webhook {
  return secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' })
}
