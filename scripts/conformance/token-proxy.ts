import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TokenProxy {
  readonly url: string
  close(): Promise<void>
}

/**
 * The suite knows no tokens, and the gateway nobody without one: this adds it, and changes nothing else, `Host` and
 * `Origin` among it.
 */
export async function startTokenProxy(target: string, token: string): Promise<TokenProxy> {
  const { hostname, port, pathname } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const passed = httpRequest({ hostname, port, path: pathname, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      // A stream that says nothing yet still stands.
      outgoing.flushHeaders()
      answer.pipe(outgoing)
    })
    passed.once('error', () => outgoing.destroy())
    outgoing.once('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const { port: own } = addressOf(server.address())
  return {
    url: `http://127.0.0.1:${own}/mcp`,
    async close() {
      const { promise: closed, resolve: finish } = Promise.withResolvers<void>()
      server.close(() => finish())
      server.closeAllConnections()
      await closed
    },
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return address
}
