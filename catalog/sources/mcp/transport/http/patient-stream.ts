import { setTimeout as pause } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { McpTiming } from '../../limits.ts'
import { STREAM_REFUSED_SLOWEST_MS, STREAM_SLOWEST_MS } from '../../limits.ts'
import { plainHeaders } from './plain-headers.ts'
import { retryAfter } from './server-busy.ts'

export interface PatientStreamDeps {
  readonly timing: Pick<McpTiming, 'streamResumeMs'>
  /** It could not even be asked for: the server may have gone. */
  readonly onLost: (error: Error) => void
}

/**
 * Opens the server's own stream as often as it takes. The SDK's transport asks for it once when a session begins, and a
 * server that is being deployed, or a proxy that is short of connections, says no to that one time: without the stream no
 * change of a list would ever be heard of. Who has no stream (405 and its like) is asked once.
 */
export function patientStream(fetch: FetchLike, { timing, onLost }: PatientStreamDeps): FetchLike {
  return async (input, init) => {
    // One that is resumed is opened again by its own rules.
    if (init?.method !== 'GET' || 'last-event-id' in plainHeaders(init.headers)) return fetch(input, init)
    for (let times = 0; ; times += 1) {
      const tried = await open(() => fetch(input, init), init.signal)
      if (tried instanceof Response && !isPassing(tried.status)) return tried
      const backoffMs = timing.streamResumeMs * 2 ** times
      let waitMs = Math.min(backoffMs, STREAM_SLOWEST_MS)
      if (tried instanceof Response) {
        await tried.body?.cancel()
        waitMs = Math.min(Math.max(backoffMs, retryAfter(tried) ?? 0), STREAM_REFUSED_SLOWEST_MS)
      } else onLost(tried)
      await pause(waitMs, undefined, { ref: false, ...(init.signal && { signal: init.signal }) })
    }
  }
}

/** Gives an error that may pass, too. */
async function open(ask: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response | Error> {
  try {
    return await ask()
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof Error)) throw error
    return error
  }
}

/** Of a moment of the server, and not of what it is; 501 is that it has no stream. */
function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501)
}
