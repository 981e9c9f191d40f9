// Drawbridge's clients of MCP servers, in one process as a gateway has them. It prints its address as one line; each
// request asks for one client by `{ url, context }` and is told `{ isDone, written }` when that has ended.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { runClient } from './run-client.ts'

const http = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${textOf(error)}\n`)
    response.destroy()
  })
})
http.listen(0, '127.0.0.1', () => {
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('the clients have no port')
  process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked: unknown = await json(request)
  if (!isJsonObject(asked)) throw new Error('a client is asked for by an object')
  let written = ''
  const log = (line: string): void => void (written += `${line}\n`)
  const run = runClient({ url: textIn(asked, 'url'), context: textIn(asked, 'context'), log })
  const isDone = await run.then(
    () => true,
    (error: unknown) => {
      log(textOf(error))
      return false
    },
  )
  response.end(JSON.stringify({ isDone, written }))
}

function textIn(asked: JsonObject, name: string): string {
  const value = asked[name]
  if (typeof value !== 'string') throw new Error(`a client is asked for with a text "${name}"`)
  return value
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
