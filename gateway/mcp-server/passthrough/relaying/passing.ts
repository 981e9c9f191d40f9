import type { Caller } from '../../../../catalog/caller.ts'
import type { Gate } from '../judging/gate.ts'
import type { RpcFault, RpcId, RpcMessage } from '../judging/rpc-message.ts'
import { rpcFault } from '../judging/rpc-message.ts'
import type { PassedSession } from '../session-book.ts'
import { isStateless } from '../judging/check-request.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** One message of a client on its way to a server. */
export interface Passing {
  readonly caller: Caller
  readonly gate: Gate
  readonly upstream: Upstream
  readonly session: PassedSession | undefined
  /** For the server: what the client said that concerns it, and the server's own session id. */
  readonly headers: Readonly<Record<string, string>>
  /** Whenever the caller is shown other tools of the server; what is returned ends it. */
  readonly whenToolsChange: (listener: () => void) => () => void
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

/** Why a request ends whose client takes it back: by the protocol it waits for no answer then, and some take one for a fault. */
export class CancelledByClient extends Error {
  override readonly name = 'CancelledByClient'
  constructor() {
    super('cancelled by the client')
  }
}

const METHOD_NOT_FOUND = -32_601
/** Of a request with the id of another that is under way in its session. */
export const ID_IN_USE: RpcFault = { code: -32_600, message: 'a request with this id is still under way' }

/** An error that is an answer to the client's message. */
export function refusal(message: RpcMessage, fault: RpcFault, status?: number): Response {
  const id = message.kind === 'request' ? message.id : undefined
  const isUnknown = fault.code === METHOD_NOT_FOUND && message.kind !== 'answer' && isStateless(message.params)
  return faultResponse(status ?? (isUnknown ? 404 : 200), fault, id)
}

/** The end of a request that waits for no answer any more. */
export function unanswered(): Response {
  return new Response('', {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' },
  })
}

export function faultResponse(status: number, fault: RpcFault, id?: RpcId): Response {
  return Response.json(rpcFault(id, fault), { status })
}
