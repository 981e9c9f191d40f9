import type { FetchLike } from '@modelcontextprotocol/client'

/**
 * Servers that were written by hand open their stream to whatever comes to its address, also to a POST, and never answer it. That
 * stream begins by naming another address to post to, as the older transport has it; here it is the refusal that it means.
 */
export function tellingOlderStream(fetch: FetchLike, isGreeted: () => boolean): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    const { body, status, headers } = response
    const isStream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true
    if (isGreeted() || init?.method !== 'POST' || !isStream || body === null) return response
    const reader = body.getReader()
    const first = await reader.read()
    if (first.done || !NAMES_ENDPOINT.test(Buffer.from(first.value).toString())) {
      return new Response(continued(first, reader), { status, headers })
    }
    await reader.cancel()
    return new Response(null, { status: 405 })
  }
}

/** After comments, if any. */
const NAMES_ENDPOINT = /^(?:\uFEFF|:[^\r\n]*|[\r\n])*event: ?endpoint[\r\n]/

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
type Chunk = Awaited<ReturnType<Reader['read']>>

/** The stream that it was before its beginning was looked at. */
function continued(first: Chunk, reader: Reader): ReadableStream {
  const pass = (chunk: Chunk, controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (chunk.done) controller.close()
    else controller.enqueue(chunk.value)
  }
  return new ReadableStream({
    start: (controller) => pass(first, controller),
    pull: async (controller) => pass(await reader.read(), controller),
    cancel: (reason) => reader.cancel(reason),
  })
}
