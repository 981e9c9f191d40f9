import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject } from '../../../catalog/json.ts'
import { finishKind } from './finish-reason.ts'
import { RETRY_WAIT_MS } from '../limits.ts'
import { ErrorFrame } from './open-chunks.ts'
import type { Chunk } from './read-chunk.ts'
import { MISWRITTEN_CALL } from './refusal-body.ts'

/**
 * Asks again where an answer failed before it began, as the client library does for a status: proxies send their head at
 * once, so that a provider that is overloaded, or a connection that breaks, shows in the stream. Once a word has come it is
 * never asked again.
 */
export async function* retryChunks(
  open: () => AsyncIterable<Chunk>,
  retries: number,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  for (let left = retries; ; left -= 1) {
    let hasBegun = false
    try {
      for await (const chunk of open()) {
        if (!hasBegun && left > 0 && isGivenUp(chunk)) break
        hasBegun ||= hasContent(chunk)
        yield chunk
      }
      if (hasBegun || left <= 0) return
    } catch (error) {
      if (hasBegun || left <= 0 || signal.aborted || !isPassing(error)) throw error
    }
    await sleep(RETRY_WAIT_MS * 2 ** (retries - left), undefined, { signal })
  }
}

/** All that came is that the server gave up: Gemini does where its model wrote a call that it cannot read. */
function isGivenUp(chunk: Chunk): boolean {
  return chunk.text === '' && chunk.finish !== undefined && finishKind(chunk.finish) === 'failed'
}

/** An answer without a word is one too, where its server says that it has ended. */
function hasContent({ text, fragments, reasoning, details, finish, isLast }: Chunk): boolean {
  const isEmpty = text === '' && fragments.length === 0 && reasoning === undefined && details === undefined
  return !isEmpty || finish !== undefined || isLast === true
}

/** What another attempt may not meet. What the client library threw has had its attempts already. */
function isPassing(error: unknown): boolean {
  // How a body that breaks off shows.
  if (!(error instanceof ErrorFrame)) return error instanceof TypeError
  const { code, type } = isJsonObject(error.body) ? error.body : {}
  const status = Number(code)
  return [408, 409, 429].includes(status) || status >= 500 || type === 'overloaded_error' || code === MISWRITTEN_CALL
}
