// The floor of any gateway of this stack: Fastify takes the request, undici sends it on, and nothing is looked at. What a call
// costs over it is a gateway's own; what it costs itself is what the machine charges for two more ways through it. Its argument is
// the server's address, and it prints its own.
import { fastify } from 'fastify'
import type { Dispatcher } from 'undici'
import { Agent } from 'undici'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

const server = new URL(process.argv[2] ?? '')
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
/** Of the connection, and not of what is sent over it. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
])

const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.all<{ Body: Buffer | undefined }>('/echo', async ({ method, headers, body }, reply) => {
  const sent = { ...passed(headers), ...(body && { 'content-length': String(body.length) }) }
  const answer = await ask({ origin: server.origin, path: server.pathname, method, headers: sent, body: body ?? null })
  return reply.code(answer.status).headers(passed(answer.headers)).send(answer.body)
})
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)

function passed(headers: Answer['headers']): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OWN_HEADERS.has(name)) kept[name] = value
  }
  return kept
}

function ask(request: Omit<Dispatcher.DispatchOptions, 'method'> & { readonly method: string }): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const chunks: Buffer[] = []
  let head: Pick<Answer, 'status' | 'headers'> = { status: 502, headers: {} }
  agent.dispatch(request, {
    onRequestStart() {},
    onResponseStart(_controller, status, headers) {
      head = { status, headers }
    },
    onResponseData: (_controller, chunk) => void chunks.push(chunk),
    onResponseEnd: () => resolve({ ...head, body: Buffer.concat(chunks) }),
    onResponseError: (_controller, error) => reject(error),
  })
  return promise
}
