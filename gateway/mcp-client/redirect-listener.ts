import { once } from 'node:events'
import { createServer } from 'node:http'
import { REDIRECT_HEADER_MAX_BYTES } from './limits.ts'

/** Waits on this machine for the browser to come back from a login. */
export interface RedirectListener {
  /** The redirect address. */
  readonly url: string
  /** The first query that `isAnswer` takes; others are turned away. Rejects with the signal's reason. */
  answer(isAnswer: (query: URLSearchParams) => boolean, signal: AbortSignal): Promise<URLSearchParams>
  /** Safe to call twice. */
  close(): Promise<void>
}

const PATH = '/callback'

/** On 127.0.0.1 alone, on the port or any free one. Rejects with the system's error when it cannot listen. */
export async function openRedirectListener(port = 0): Promise<RedirectListener> {
  let take: (query: URLSearchParams) => boolean = () => false
  const server = createServer({ maxHeaderSize: REDIRECT_HEADER_MAX_BYTES }, (request, response) => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1')
    const isTaken = request.method === 'GET' && url?.pathname === PATH && take(url.searchParams)
    response.writeHead(isTaken ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
    response.end(isTaken ? DONE : 'This is not the answer to a login that is under way.')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('a server that listens has a port')
  return {
    url: `http://127.0.0.1:${address.port}${PATH}`,
    async answer(isAnswer, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>()
      take = (query) => {
        if (!isAnswer(query)) return false
        resolve(query)
        return true
      }
      const onAbort = (): void => reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        signal.throwIfAborted()
        return await promise
      } finally {
        signal.removeEventListener('abort', onAbort)
        take = () => false
      }
    },
    async close() {
      if (!server.listening) return
      server.close()
      // The page has been sent by then; a browser may keep its connection.
      server.closeIdleConnections()
      await once(server, 'close')
    },
  }
}

/** Nothing of the answer is in it: what a stranger's server sent must not become part of a page. */
const DONE = '<!doctype html><title>Drawbridge</title><p>The answer has come. You can close this page.</p>'
