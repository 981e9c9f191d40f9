import type { IncomingHttpHeaders } from 'node:http'
import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { Gate, GateDeps } from './judging/gate.ts'
import { createGate } from './judging/gate.ts'
import { requestIdOf } from '../serving/rpc-error.ts'
import { PASSED_GOODBYE_MS } from './limits.ts'
import { findMismatch, passedHeaders } from './judging/passed-headers.ts'
import { answerUnheard } from './relaying/answer-unheard.ts'
import { fitAnswer, takesStreams } from './relaying/fit-answer.ts'
import type { Passing } from './relaying/passing.ts'
import { CancelledByClient, faultResponse, refusal } from './relaying/passing.ts'
import type { RelayCallDeps } from './relaying/relay-call.ts'
import { relayCall } from './relaying/relay-call.ts'
import { relayRequest } from './relaying/relay-request.ts'
import { relayStream } from './relaying/relay-stream.ts'
import type { RpcAnswer, RpcId, RpcMessage, RpcNotification, RpcRequest } from './judging/rpc-message.ts'
import { readRpcMessage } from './judging/rpc-message.ts'
import type { ServerLinks } from './server-links.ts'
import type { PassedSession, SessionBook } from './session-book.ts'
import type { ToolWatch } from './tool-watch.ts'
import { exchange, faultOfStatus } from './upstream/ask.ts'
import type { Upstream } from './upstream/upstream.ts'
import { UpstreamFault } from './upstream/upstream-fault.ts'

export interface ServeDeps extends GateDeps, RelayCallDeps {
  readonly links: ServerLinks
  readonly sessions: SessionBook
  readonly watch: Pick<ToolWatch, 'hear'>
}

/** One HTTP request for one server. */
export interface Asking {
  readonly method: string
  readonly incoming: IncomingHttpHeaders
  readonly body: JsonValue | undefined
  readonly server: string
  readonly authenticated: Authenticated
  /** The one that the request names; undefined where it names none. */
  readonly session: PassedSession | undefined
}

const SERVER_ERROR = -32_000
const SESSION_NOT_FOUND = -32_001
const INVALID_REQUEST = -32_600

/** Answers one request; what a server does wrong is an error of JSON-RPC for the client. */
export async function serveExchange(asking: Asking, deps: ServeDeps, signal: AbortSignal): Promise<Response> {
  const { server, authenticated, session, incoming, body } = asking
  const gate = createGate(server, authenticated.caller, deps)
  // What is denied and what is not configured are told apart by nobody.
  if (!deps.links.has(server) || !gate.isOpen) {
    const message = `there is no MCP server ${JSON.stringify(server)}`
    return faultResponse(404, { code: SERVER_ERROR, message }, requestIdOf(body))
  }
  // Many begin anew with the id of the session that has ended.
  const begins = isJsonObject(body) && body['method'] === 'initialize'
  if (incoming['mcp-session-id'] !== undefined && session === undefined && !begins) return sessionGone(body)
  try {
    const answer = await serveMethod(asking, { ...deps, gate }, signal)
    if (asking.method !== 'POST') return answer
    const passing = passingOf(asking, { ...deps, gate }, signal)
    return await fitAnswer(answer, incoming.accept, (question) => void answerUnheard(question, passing))
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    const id = requestIdOf(body)
    if (error.code === 'busy') return busyResponse(error, id)
    if (error.code !== 'session-forgotten')
      return faultResponse(502, { code: SERVER_ERROR, message: error.message }, id)
    if (session !== undefined) await deps.sessions.end(session)
    return sessionGone(body)
  }
}

/** As the server itself says it. */
function busyResponse({ message, retryAfterMs }: UpstreamFault, id: RpcId | undefined): Response {
  const response = faultResponse(429, { code: SERVER_ERROR, message }, id)
  if (retryAfterMs !== undefined) response.headers.set('retry-after', String(Math.ceil(retryAfterMs / 1_000)))
  return response
}

/** Takes leave of the server's own session; it keeps a child or a context for each that nobody ends. */
export async function leaveServer({ upstream, upstreamId }: PassedSession): Promise<void> {
  const headers = { 'mcp-session-id': upstreamId }
  try {
    const response = await upstream.exchange({ method: 'DELETE', headers }, AbortSignal.timeout(PASSED_GOODBYE_MS))
    await response.body?.cancel()
  } catch {
    // A server that is gone, or has no DELETE, has nothing to end.
  }
}

interface OpenDeps extends ServeDeps {
  readonly gate: Gate
}

async function serveMethod(asking: Asking, deps: OpenDeps, signal: AbortSignal): Promise<Response> {
  const { method, body, incoming, session } = asking
  if (method === 'GET') {
    if (takesStreams(incoming.accept)) return relayStream(incoming, passingOf(asking, deps, signal))
    return faultResponse(406, { code: SERVER_ERROR, message: 'GET opens a stream: send "accept: text/event-stream"' })
  }
  if (method === 'DELETE') {
    if (session === undefined) return faultResponse(400, { code: SERVER_ERROR, message: 'no session is named' })
    await deps.sessions.end(session)
    return new Response(null, { status: 204 })
  }
  const message = readRpcMessage(body)
  if (message === undefined) {
    const words = Array.isArray(body) ? 'batches are not read here; send one message a request' : 'this is no message'
    return faultResponse(400, { code: INVALID_REQUEST, message: words }, requestIdOf(body))
  }
  const mismatch = findMismatch(message, incoming)
  if (mismatch !== undefined) return refusal(message, mismatch, 400)
  return serveMessage(message, asking, { deps, signal })
}

async function serveMessage(
  message: RpcMessage,
  asking: Asking,
  { deps, signal }: { readonly deps: OpenDeps; readonly signal: AbortSignal },
): Promise<Response> {
  if (message.kind === 'request' && message.method === 'initialize' && asking.session === undefined) {
    return beginSession(message, asking, { deps, signal })
  }
  // To JSON-RPC a request without an id is a call that wants no answer: some servers make it all the same.
  if (message.kind === 'notification' && !message.method.startsWith('notifications/')) {
    return faultResponse(400, { code: INVALID_REQUEST, message: 'a request needs an id' })
  }
  const passing = passingOf(asking, deps, signal)
  if (message.kind !== 'request') return tell(message, passing)
  return message.method === 'tools/call'
    ? relayCall(message, passing, deps)
    : relayRequest(message, passing, () => ({}))
}

async function beginSession(
  message: RpcRequest,
  asking: Asking,
  { deps, signal }: { readonly deps: OpenDeps; readonly signal: AbortSignal },
): Promise<Response> {
  const release = deps.sessions.reserve(asking.authenticated.token.id)
  if (release === undefined) {
    const words = 'too many sessions are in use; end one with DELETE, or try again later'
    return refusal(message, { code: SERVER_ERROR, message: words }, 503)
  }
  try {
    const passing = openingOf(asking, deps, signal)
    const { upstream } = passing
    return await relayRequest(message, passing, ({ sessionId }) => openSession(sessionId, asking, { upstream, deps }))
  } finally {
    release()
  }
}

function passingOf(asking: Asking, deps: OpenDeps, signal: AbortSignal): Passing {
  const { session, server, authenticated, incoming } = asking
  return {
    ...whosePassing(asking, deps),
    session,
    upstream: session?.upstream ?? deps.links.withoutSession(server, authenticated.caller.tenant),
    headers: { ...passedHeaders(incoming), ...(session && { 'mcp-session-id': session.upstreamId }) },
    signal,
  }
}

function openingOf(asking: Asking, deps: OpenDeps, signal: AbortSignal): Passing {
  const upstream = deps.links.forSession(asking.server)
  return {
    ...whosePassing(asking, deps),
    session: undefined,
    upstream,
    headers: passedHeaders(asking.incoming),
    signal,
  }
}

function whosePassing({ server, authenticated: { caller } }: Asking, { gate, watch }: OpenDeps) {
  const whenToolsChange: Passing['whenToolsChange'] = (listener) => watch.hear({ server, caller }, listener)
  return { caller, gate, whenToolsChange }
}

/** The headers by which the client learns of its session; none where the server keeps no sessions. */
function openSession(
  upstreamId: string | undefined,
  { server, authenticated }: Asking,
  { upstream, deps }: { readonly upstream: Upstream; readonly deps: OpenDeps },
): Readonly<Record<string, string>> {
  if (upstreamId === undefined) return {}
  const { id } = deps.sessions.open({ server, tokenId: authenticated.token.id, upstream, upstreamId })
  return { 'mcp-session-id': id }
}

/** A notification, or the client's answer to something that the server asked. */
async function tell(message: RpcNotification | RpcAnswer, passing: Passing): Promise<Response> {
  const { upstream, headers, session, signal } = passing
  if (session === undefined && isOfAnother(message)) return tellNobody(message)
  const cancelled = cancelledId(message)
  const call = cancelled === undefined ? undefined : session?.calls.get(cancelled)
  if (call !== undefined) {
    // The call itself tells the server, and ends as cancelled in its receipt.
    call.abort(new CancelledByClient())
    return accepted()
  }
  const request = { method: 'POST', headers, body: message.whole } as const
  const response = await exchange(() => upstream.exchange(request, signal), signal)
  await response.body?.cancel()
  const fault = faultOfStatus(response)
  if (fault !== undefined) throw fault
  if (cancelled !== undefined) session?.requests.get(cancelled)?.abort(new CancelledByClient())
  if (response.ok) return accepted()
  if (response.status === 404 && session !== undefined) {
    throw new UpstreamFault('session-forgotten', 'the server does not know the session any more')
  }
  const words = `the server did not take the message (HTTP ${response.status})`
  return faultResponse(response.status, { code: SERVER_ERROR, message: words })
}

function cancelledId(message: RpcNotification | RpcAnswer): RpcId | undefined {
  if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return undefined
  const { requestId } = message.params
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined
}

/**
 * What goes by an id means somebody's request, and without a session nothing says whose: everybody's are under way at the
 * same server, under ids that are easy to guess.
 */
function isOfAnother(message: RpcNotification | RpcAnswer): boolean {
  return message.kind === 'answer' || message.method === 'notifications/cancelled'
}

/** Who closes the stream of a request cancels it; nothing is asked outside of a session but in results. */
function tellNobody(message: RpcNotification | RpcAnswer): Response {
  if (message.kind === 'notification') return accepted()
  return faultResponse(400, {
    code: SERVER_ERROR,
    message: 'nothing was asked that this could answer: no session is named',
  })
}

function accepted(): Response {
  return new Response(null, { status: 202 })
}

function sessionGone(body: JsonValue | undefined): Response {
  const message = 'session not found: it has ended, so "initialize" a new one'
  return faultResponse(404, { code: SESSION_NOT_FOUND, message }, requestIdOf(body))
}
