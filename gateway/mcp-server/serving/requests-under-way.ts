import type { RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { SessionPosts } from './session-posts.ts'

/** The requests of one session that the SDK's transport has taken and not answered. */
export interface RequestsUnderWay {
  /**
   * Gives a message to the transport, unless a request in it has the id of another that is under way. What waits for the answer
   * to a request that it cancels ends: there will be none.
   */
  take(body: JsonValue | undefined, give: () => Promise<Response>): Promise<Response>
}

export interface RequestsUnderWayDeps {
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Those that went past the transport. */
  readonly posts: Pick<SessionPosts, 'has' | 'drop'>
  readonly readsStreams: boolean
  readonly onError: (error: Error) => void
}

/**
 * To the SDK an id is whose answer it is: of two requests with the same one, as of clients that number none, one would get
 * the answer of the other and the other none. And a cancelled one is not answered, so that its stream would stay open, and
 * with it the session in use, for as long as its client reads.
 */
export function createRequestsUnderWay(deps: RequestsUnderWayDeps): RequestsUnderWay {
  const { transport, posts } = deps
  /** Whether the answer will be alone in its response. */
  const underWay = new Map<RequestId, boolean>()
  const send = transport.send.bind(transport)
  const noting: Pick<typeof transport, 'send'> = {
    send(message, options) {
      if (!('method' in message) && message.id !== undefined) underWay.delete(message.id)
      return send(message, options)
    },
  }
  Object.assign(transport, noting)
  const enter = (ids: readonly RequestId[], isAlone: boolean): RequestId | undefined => {
    const twice = ids.find((id, index) => underWay.has(id) || posts.has(id) || ids.indexOf(id) < index)
    if (twice === undefined) for (const id of ids) underWay.set(id, isAlone)
    return twice
  }
  const endCancelled = (id: RequestId): void => {
    const isAlone = underWay.get(id)
    if (posts.drop(id) || isAlone === undefined) return
    underWay.delete(id)
    if (isAlone && deps.readsStreams) transport.closeSSEStream(id)
    // The response waits for each of its answers.
    else send({ jsonrpc: '2.0', id, error: CANCELLED }).catch(deps.onError)
  }
  return {
    async take(body, give) {
      const ids = requestIdsOf(body)
      const twice = enter(ids, !Array.isArray(body))
      if (twice !== undefined) return idInUse(twice)
      const leave = (): void => ids.forEach((id) => underWay.delete(id))
      const answer = await give().catch((error: unknown) => {
        leave()
        throw error
      })
      if (!answer.ok) leave()
      for (const id of cancelledIdsOf(body)) endCancelled(id)
      return answer
    },
  }
}

const INVALID_REQUEST = -32_600
/** Of the range that JSON-RPC leaves to servers. */
const CANCELLED = { code: -32_000, message: 'the request was cancelled' }

function idInUse(id: RequestId): Response {
  const message = `a request with the id ${JSON.stringify(id)} is still under way in this session; give each one its own`
  return Response.json({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } }, { status: 400 })
}

function requestIdsOf(body: JsonValue | undefined): readonly RequestId[] {
  return messagesOf(body).flatMap(({ id, method }) => (typeof method === 'string' && isId(id) ? [id] : []))
}

function cancelledIdsOf(body: JsonValue | undefined): readonly RequestId[] {
  return messagesOf(body).flatMap(({ method, params }) => {
    const id = method === 'notifications/cancelled' && isJsonObject(params) ? params['requestId'] : undefined
    return isId(id) ? [id] : []
  })
}

function messagesOf(body: JsonValue | undefined) {
  return (Array.isArray(body) ? body : [body]).filter((message) => isJsonObject(message))
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number'
}
