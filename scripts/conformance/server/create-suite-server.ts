import { createHash } from 'node:crypto'
import type { ServerCapabilities } from '@modelcontextprotocol/server'
import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import { askingTools } from './asking-tools.ts'
import type { RoundState } from './input-tools.ts'
import { inputTools } from './input-tools.ts'
import type { ListChanges } from './plain-tools.ts'
import { plainTools } from './plain-tools.ts'
import { prompts } from './prompts.ts'
import { readResource, resources, templates } from './resources.ts'
import type { SuiteTool } from './suite-tool.ts'

/** Not a secret: whoever runs the suite may read it; it only has to notice a change. */
const STATE_KEY = createHash('sha256').update('the state of several rounds').digest()

const capabilities: ServerCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
}

const COMPLETIONS = ['test', 'testing', 'tested', 'paris', 'park', 'party']

/** One server of the kind that the conformance suite expects: for one request, or for one session of older clients. */
export function createSuiteServer(changes: ListChanges): Server {
  const codec = createRequestStateCodec<RoundState>({ key: STATE_KEY })
  const server = new Server(
    { name: 'drawbridge-conformance-server', version: '1.0.0' },
    {
      capabilities,
      requestState: { verify: (state, context) => codec.verify(state, context) },
      instructions: 'Serves the conformance suite.',
      cacheHints: {
        'tools/list': { ttlMs: 1_000, cacheScope: 'public' },
        'resources/read': { ttlMs: 0, cacheScope: 'private' },
      },
    },
  )
  serveTools(server, [...plainTools(changes), ...askingTools, ...inputTools(codec)])
  serveResources(server)
  servePrompts(server)
  return server
}

function serveTools(server: Server, tools: readonly SuiteTool[]): void {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  server.setRequestHandler('tools/list', () => ({ tools: tools.map((tool) => tool.definition) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = byName.get(params.name)
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
    return tool.run(params.arguments ?? {}, context)
  })
}

function serveResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({ resources: [...resources] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...templates] }))
  server.setRequestHandler('resources/read', ({ params }) => {
    const found = readResource(params.uri)
    if (found === undefined) throw new ResourceNotFoundError(params.uri)
    return found
  })
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map((prompt) => prompt.definition) }))
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const prompt = prompts.find(({ definition }) => definition.name === params.name)
    if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`)
    return prompt.get(params.arguments ?? {}, context)
  })
  server.setRequestHandler('completion/complete', ({ params }) => {
    const values = COMPLETIONS.filter((value) => value.startsWith(params.argument.value))
    return { completion: { values, total: values.length, hasMore: false } }
  })
}
