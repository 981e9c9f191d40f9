import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** One request as it went over the wire. */
export interface RecordedRequest {
  readonly path: string
  readonly body: Buffer
}

export interface RecordingProxy {
  readonly url: string
  /** Since the last call of `take`, in order of arrival. */
  take(): readonly RecordedRequest[]
  close(): Promise<void>
}

/** Passes every request on to `target` and its answer back, as they are, and keeps the requests. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const recorded: RecordedRequest[] = []
  const server = createServer((request, response) => {
    forward(request, response, { target, recorded }).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end(String(error))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the recording proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    take: () => recorded.splice(0),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { target, recorded }: { readonly target: string; readonly recorded: RecordedRequest[] },
): Promise<void> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  recorded.push({ path: request.url ?? '', body })
  const answer = await fetch(target + (request.url ?? ''), {
    method: request.method ?? 'POST',
    headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
    ...(body.length === 0 ? {} : { body }),
  })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
  for await (const chunk of answer.body ?? []) response.write(chunk)
  response.end()
}
