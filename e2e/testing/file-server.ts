import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

/** A server of an older revision, written out by hand, so that nothing but what a test says is right about it. */
export interface FileServer {
  readonly url: string
  /** What came, in order: `POST tools/call`, `DELETE`. */
  readonly seen: readonly SeenRequest[]
  /** How the next `tools/call` is answered, in place of an echo. */
  misbehave(answer: Misbehaviour): void
  close(): Promise<void>
}

export interface SeenRequest {
  readonly what: string
  readonly headers: IncomingMessage['headers']
  readonly body: Body
  /** Whether whoever asked left before the answer. */
  readonly isAborted: () => boolean
}

export type Body = ReturnType<typeof JSON.parse>
export type Misbehaviour = (response: ServerResponse, body: Body) => void

const object = { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false }
const LISTS: Readonly<Record<string, object>> = {
  'tools/list': {
    tools: ['echo', 'wipe', 'guarded', 'app_only'].map((name) => ({
      name,
      description: `The tool ${name}`,
      inputSchema: object,
      ...(name === 'app_only' && { _meta: { ui: { visibility: ['app'] } } }),
    })),
  },
  'resources/list': { resources: ['mem://open', 'mem://secret/one'].map((uri) => ({ uri, name: uri })) },
  'resources/templates/list': {
    resourceTemplates: ['mem://open/{id}', 'mem://secret/{id}'].map((uriTemplate) => ({
      uriTemplate,
      name: uriTemplate,
    })),
  },
  'prompts/list': { prompts: ['greet', 'hidden'].map((name) => ({ name })) },
  'prompts/get': { messages: [] },
  'completion/complete': { completion: { values: [] } },
}

export async function startFileServer(): Promise<FileServer> {
  const seen: SeenRequest[] = []
  let next: Misbehaviour | undefined
  let sessions = 0
  const http = createServer((request, response) => void handle(request, response))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: Body = request.method === 'POST' ? await json(request) : undefined
    const isAborted = (): boolean => response.destroyed && !response.writableFinished
    seen.push({ what: [request.method, body?.method].join(' ').trim(), headers: request.headers, body, isAborted })
    if (request.method !== 'POST') return void response.writeHead(request.method === 'GET' ? 405 : 200).end()
    // As the SDK of the older revisions does.
    const { accept = '' } = request.headers
    if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
      return void response.writeHead(406).end()
    if (body.id === undefined || body.method === undefined) return void response.writeHead(202).end()
    if (body.method === 'tools/call' && next !== undefined && body.params.name === 'echo') {
      const misbehaviour = next
      next = undefined
      misbehaviour(response, body)
      return
    }
    const headers = body.method === 'initialize' ? { 'mcp-session-id': `upstream-${(sessions += 1)}` } : {}
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: resultOf(body) }))
  }

  const { promise, resolve } = Promise.withResolvers<void>()
  http.listen(0, '127.0.0.1', resolve)
  await promise
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    seen,
    misbehave(answer) {
      next = answer
    },
    async close() {
      const { promise: closed, resolve: finish } = Promise.withResolvers<void>()
      http.close(() => finish())
      http.closeAllConnections()
      await closed
    },
  }
}

function resultOf({ method, params }: Body): object {
  if (method === 'initialize') {
    const capabilities = {
      tools: {},
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      tasks: { list: {} },
    }
    return { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'files', version: '1' } }
  }
  if (method === 'tools/call') {
    return {
      content: [
        { type: 'text', text: params.arguments?.text ?? '' },
        { type: 'novel', kept: 1 },
      ],
      _meta: { own: 1 },
    }
  }
  if (method === 'resources/read') return { contents: [{ uri: params.uri, text: 'read' }] }
  return LISTS[method] ?? {}
}
