// MCP servers in a process of their own, so that their work is not the work of whoever measures. `stdio`: one on stdin and
// stdout. `http`: `/echo`, as many as are asked for at `/many/<n>`, and `/mute`, which never answers; prints its address.
import { createServer } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { toNodeHandler } from '@modelcontextprotocol/node'

const TOOLS_OF_MANY = 50
const MESSAGE = fromJsonSchema<{ readonly message: string }>({
  type: 'object',
  properties: { message: { type: 'string', description: 'What comes back' } },
  required: ['message'],
})

if (process.argv[2] === 'stdio') serveStdio(() => echoServer(['echo']))
else listen(httpServers())

function httpServers(): HttpServer {
  const echo = toNodeHandler(createMcpHandler(() => echoServer(['echo'])))
  const names = Array.from({ length: TOOLS_OF_MANY }, (_, at) => `look_up_record_${at}`)
  const many = toNodeHandler(createMcpHandler(() => echoServer(names)))
  return createServer((request, response) => {
    const [, first] = (request.url ?? '').split('/')
    if (first === 'mute') return
    const serve = first === 'many' ? many : echo
    const { method = '', url = '' } = request
    void serve(Object.assign(request, { method, url }), response)
  })
}

function echoServer(names: readonly string[]): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  for (const name of names) {
    const description = `Gives back the message that it was given, as ${name.replaceAll('_', ' ')} would.`
    server.registerTool(name, { description, inputSchema: MESSAGE }, async ({ message }) => ({
      content: [{ type: 'text', text: message }],
    }))
  }
  return server
}

function listen(server: HttpServer): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the servers of the bench have no port')
    process.stdout.write(`http://127.0.0.1:${address.port}\n`)
  })
}
