import { readJson } from '../../../../catalog/read-json.ts'
import type { RpcRequest } from '../judging/rpc-message.ts'
import { readRpcMessage } from '../judging/rpc-message.ts'
import { isEventStream } from '../upstream/ask.ts'
import { readEvents } from '../upstream/read-events.ts'
import { faultResponse } from './passing.ts'

const NO_ANSWER = { code: -32_603, message: 'the answer was broken off; whether the request took effect is not known' }

/**
 * An answer in a form that its client says it reads. A server is always told that both are: many refuse who takes less. A
 * client that does not name event streams gets the answer alone, as one JSON text, like at `/mcp`; one that names nothing else
 * gets that text as a stream. Errors of HTTP stay as they are. `onUnheard` is told what the server asks of a client that cannot
 * hear it: the server waits for an answer.
 */
export async function fitAnswer(
  response: Response,
  accept: string | undefined,
  onUnheard: (question: RpcRequest) => void,
): Promise<Response> {
  if (isEventStream(response)) return namesStreams(accept) ? response : asJson(response, onUnheard)
  const isJson = response.ok && response.headers.get('content-type') === 'application/json'
  return isJson && namesStreams(accept) && !takes(accept, 'application/json') ? asStream(response) : response
}

/** Whether a stream may be opened that has no other form. */
export function takesStreams(accept: string | undefined): boolean {
  return takes(accept, 'text/event-stream')
}

function namesStreams(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/event-stream') === true
}

function takes(accept: string | undefined, type: string): boolean {
  if (accept === undefined || accept === '') return true
  const ranges = accept.split(',').map((range) => (range.split(';', 1)[0] ?? '').trim().toLowerCase())
  return [type, type.replace(/\/.*/, '/*'), '*/*'].some((each) => ranges.includes(each))
}

/** What the server tells or asks before its answer has no place here, as where a server itself answers in JSON. */
async function asJson({ headers, body }: Response, onUnheard: (question: RpcRequest) => void): Promise<Response> {
  const session = headers.get('mcp-session-id')
  const given = session === null ? {} : { 'mcp-session-id': session }
  if (body !== null) {
    for await (const { data } of readEvents(body)) {
      const message = readRpcMessage(readJson(data))
      if (message?.kind === 'answer') return Response.json(message.whole, { headers: given })
      if (message?.kind === 'request') onUnheard(message)
    }
  }
  return faultResponse(502, NO_ANSWER)
}

async function asStream(response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.set('content-type', 'text/event-stream')
  headers.set('cache-control', 'no-cache, no-transform')
  return new Response(`data: ${await response.text()}\n\n`, { headers })
}
