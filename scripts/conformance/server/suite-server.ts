// The server that the conformance suite is run against, straight and through the gateway: every fixture that its
// scenarios name, for the stateless revision and for the sessions of older ones, on one port of the loopback. A process
// of its own. Usage: suite-server.ts [PORT]; it prints its address as one line.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node'
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import { createSuiteServer } from './create-suite-server.ts'
import type { ListChanges } from './plain-tools.ts'

const stateless = createMcpHandler(() => createSuiteServer(announce), { legacy: 'reject' })
const answerStateless = toNodeHandler(stateless)
const announce: ListChanges = {
  toolsChanged: () => stateless.notify.toolsChanged(),
  promptsChanged: () => stateless.notify.promptsChanged(),
}
const sessions = new Map<string, NodeStreamableHTTPServerTransport>()
const isHostGood = localhostHostValidation()
const isOriginGood = localhostOriginValidation()

const http = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    response.destroy()
  })
})
http.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  process.stdout.write(`http://127.0.0.1:${address.port}/mcp\n`)
})

async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = Object.assign(incoming, { method: incoming.method ?? 'GET', url: incoming.url ?? '/' })
  if (!isHostGood(request, response) || !isOriginGood(request, response)) return
  const body = request.method === 'POST' ? await readJson(request) : undefined
  if (!(await isLegacyRequest(await toWebRequest(request, body), body))) {
    await answerStateless(request, response, body)
    return
  }
  const id = request.headers['mcp-session-id']
  const known = typeof id === 'string' ? sessions.get(id) : undefined
  if (typeof id === 'string' && known === undefined) {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}')
    return
  }
  await (known ?? (await openSession())).handleRequest(request, response, body)
}

/** What does not parse is left to the SDK to refuse. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  return await json(request).catch(() => undefined)
}

async function openSession(): Promise<NodeStreamableHTTPServerTransport> {
  const server = createSuiteServer({
    toolsChanged: () => void server.sendToolListChanged(),
    promptsChanged: () => void server.sendPromptListChanged(),
  })
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  await server.connect(transport)
  return transport
}
