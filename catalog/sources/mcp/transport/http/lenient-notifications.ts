import type { FetchLike } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../../json.ts'
import { readJson } from '../../../../read-json.ts'
import { McpConnectError } from '../../errors.ts'
import { NOTIFICATION_MS } from '../../limits.ts'

export interface LenientNotificationsDeps {
  readonly patienceMs: number
  /** Told of a notification that the server did not take, and how it said so. */
  readonly onRefused: (method: string, how: string) => void
}

/**
 * Nothing hangs on a notification: many servers answer it with 200, 400, 404, 405 or 501, or not at all, and work as well
 * as any. Each counts as taken (202), so that the SDK's transport neither gives up a handshake that has succeeded nor
 * leaves the server's own stream unopened. What is wrong with the connection itself the next request will say.
 */
export function lenientNotifications(fetch: FetchLike, { patienceMs, onRefused }: LenientNotificationsDeps): FetchLike {
  return async (input, init) => {
    const method = notificationIn(init?.body)
    if (method === undefined) return fetch(input, init)
    const { promise: waited, resolve: goOn } = Promise.withResolvers<string>()
    const timer = setTimeout(() => goOn('no answer'), patienceMs).unref()
    try {
      const refusal = await Promise.race([refusalOf(fetch(input, bounded(init))), waited])
      if (refusal !== undefined) onRefused(method, refusal)
    } catch (error) {
      if (error instanceof McpConnectError || init?.signal?.aborted === true) throw error
      onRefused(method, 'the connection broke')
    } finally {
      clearTimeout(timer)
    }
    return new Response(null, { status: 202 })
  }
}

/** Of a message that has a method and no id. */
function notificationIn(body: RequestInit['body']): string | undefined {
  // Most messages are none, and need not be read for that.
  if (typeof body !== 'string' || !body.includes('"notifications/')) return undefined
  const message = readJson(body)
  if (!isJsonObject(message) || 'id' in message) return undefined
  return typeof message['method'] === 'string' ? message['method'] : undefined
}

function bounded(init: RequestInit | undefined): RequestInit {
  const patience = AbortSignal.timeout(NOTIFICATION_MS)
  const { signal } = init ?? {}
  return { ...init, signal: signal ? AbortSignal.any([signal, patience]) : patience }
}

async function refusalOf(sent: Promise<Response>): Promise<string | undefined> {
  const { status, body } = await sent
  await body?.cancel()
  return status < 400 ? undefined : `HTTP status ${status}`
}
