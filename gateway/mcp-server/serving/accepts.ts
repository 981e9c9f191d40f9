import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { fitAnswer, takesStreams } from '../passthrough/relaying/fit-answer.ts'

type Transport = Pick<WebStandardStreamableHTTPServerTransport, 'onmessage'>

/** Whether a client says that it reads answers of a type. */
export function accepts({ headers }: Request, type: string): boolean {
  return headers.get('accept')?.toLowerCase().includes(type) === true
}

/** Some say at first that they read streams, and at a later request that it is to be JSON alone. */
export async function fitted(transport: Transport, request: Request, answer: Response): Promise<Response> {
  const accept = request.headers.get('accept')?.toLowerCase() ?? ''
  const isJsonAlone = accept.includes('application/json') && !/text\/event-stream|\*\/\*/.test(accept)
  if (!isJsonAlone) return answer
  return fitAnswer(answer, accept, ({ id }) => {
    const error = { code: ProtocolErrorCode.MethodNotFound, message: 'the client took no stream for this answer' }
    transport.onmessage?.({ jsonrpc: '2.0', id, error })
  })
}

/**
 * By the specification a client must say that it takes JSON and streams, and a stream where it opens one. The SDK refuses all
 * others: those that say less, or nothing, or say it in capitals.
 */
export function acceptingAll(request: Request): Request {
  const accept = request.headers.get('accept') ?? ''
  const isRead =
    accept.includes('text/event-stream') && (request.method === 'GET' || accept.includes('application/json'))
  const isToBeRead = request.method === 'POST' || (request.method === 'GET' && takesStreams(accept))
  if (isRead || !isToBeRead) return request
  const headers = new Headers(request.headers)
  headers.set('accept', 'application/json, text/event-stream')
  return new Request(request, { headers })
}
