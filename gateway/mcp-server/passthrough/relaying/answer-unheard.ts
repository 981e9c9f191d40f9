import type { JsonObject } from '../../../../catalog/json.ts'
import type { RpcRequest } from '../judging/rpc-message.ts'
import { rpcFault } from '../judging/rpc-message.ts'
import { PASSED_GOODBYE_MS } from '../limits.ts'
import type { Passing } from './passing.ts'

const METHOD_NOT_FOUND = -32_601

/**
 * Answers what a server asks in the middle of the request of a client that reads no streams and will never hear of it: with
 * silence the call would last for as long as the server waits. Never rejects.
 */
export async function answerUnheard(
  question: RpcRequest,
  { session, upstream, headers }: Pick<Passing, 'session' | 'upstream' | 'headers'>,
): Promise<void> {
  // Without a session there is nobody whom a server could ask so.
  if (session === undefined) return
  const request = { method: 'POST', headers, body: answerFor(question) } as const
  try {
    const response = await upstream.exchange(request, AbortSignal.timeout(PASSED_GOODBYE_MS))
    await response.body?.cancel()
  } catch {
    // A server that is gone waits for nothing.
  }
}

function answerFor({ id, method }: RpcRequest): JsonObject {
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} }
  const message = 'the client cannot be asked: it takes no event stream (accept: text/event-stream)'
  return rpcFault(id, { code: METHOD_NOT_FOUND, message })
}
