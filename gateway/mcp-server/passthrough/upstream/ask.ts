import { setTimeout as pause } from 'node:timers/promises'
import { findCause, McpConnectError } from '../../../../catalog/sources/mcp/errors.ts'
import type { JsonObject } from '../../../../catalog/json.ts'
import { NO_MORE_REQUESTS, retryAfter, waitWords } from '../../../../catalog/sources/mcp/transport/http/server-busy.ts'
import { readJson } from '../../../../catalog/read-json.ts'
import { PASSED_REASON_MAX_LENGTH, PASSED_RESUME_MAX_MS, PASSED_RESUME_MS, PASSED_RESUMES_MAX } from '../limits.ts'
import type { RpcAnswer, RpcId, RpcMessage } from '../judging/rpc-message.ts'
import { readRpcMessage } from '../judging/rpc-message.ts'
import { readEvents } from './read-events.ts'
import type { Upstream } from './upstream.ts'
import { UpstreamFault } from './upstream-fault.ts'

export interface Question {
  readonly upstream: Upstream
  readonly id: RpcId
  readonly body: JsonObject
  readonly headers: Readonly<Record<string, string>>
}

/** What a server answers with, from its head on. */
export interface Asked {
  readonly status: number
  readonly isStream: boolean
  /** The session that the server opened with this answer. */
  readonly sessionId: string | undefined
  /** What belongs to the request, in order; its answer is the last. Ends without one where the server gave none. */
  readonly messages: AsyncIterable<RpcMessage>
}

/**
 * Sends one request to a server.
 * @throws {UpstreamFault} where it cannot be reached or answers with something else than a message
 */
export async function ask(question: Question, signal: AbortSignal): Promise<Asked> {
  const { upstream, headers, body } = question
  const response = await exchange(() => upstream.exchange({ method: 'POST', headers, body }, signal), signal)
  const { status } = response
  const head = { status, sessionId: response.headers.get('mcp-session-id') ?? undefined }
  if (isEventStream(response)) return { ...head, isStream: true, messages: streamed(response, question, signal) }
  const answer = await readAnswer(response, question, signal)
  return { ...head, isStream: false, messages: single(answer) }
}

/** The error of a failed exchange as a client may read it; an abort stays what it is. */
export async function exchange<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof UpstreamFault) throw error
    const known = findCause(error, (cause): cause is McpConnectError => cause instanceof McpConnectError)
    // What is not known to have failed before anything was sent may have had an effect.
    const code = known === undefined || known.code === 'message-too-large' ? 'no-answer' : 'unreachable'
    const reason = known?.message ?? 'the connection broke off'
    throw new UpstreamFault(code, `the server gave no answer: ${reason}`, { cause: error })
  }
}

export function isEventStream(response: Response): boolean {
  return response.ok && response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true
}

/** A status that says something about the gateway and its server, and nothing that the client could act on. */
export function faultOfStatus(response: Response): UpstreamFault | undefined {
  const { status } = response
  if (status === 401 || status === 403 || status === 407) {
    return new UpstreamFault('refused', `the server refuses the gateway (HTTP ${status}); its operator has to log in`)
  }
  if (status === 429) {
    const retryAfterMs = retryAfter(response)
    const when = retryAfterMs === undefined ? '' : waitWords(retryAfterMs)
    return new UpstreamFault('busy', `${NO_MORE_REQUESTS}${when}`, { retryAfterMs })
  }
  if (status >= 500 || (status >= 300 && status < 400)) {
    return new UpstreamFault('bad-answer', `the server answered with HTTP status ${status}`)
  }
  return undefined
}

async function* single(answer: RpcAnswer): AsyncGenerator<RpcMessage> {
  yield answer
}

async function readAnswer(response: Response, { id, headers }: Question, signal: AbortSignal): Promise<RpcAnswer> {
  const fault = faultOfStatus(response)
  if (fault !== undefined) {
    await response.body?.cancel()
    throw fault
  }
  const text = await exchange(() => response.text(), signal)
  const answer = answerTo(id, readJson(text))
  if (answer !== undefined) return answer
  if (response.status === 404 && 'mcp-session-id' in headers) {
    throw new UpstreamFault('session-forgotten', 'the server does not know the session any more')
  }
  const words = text.slice(0, PASSED_REASON_MAX_LENGTH).replaceAll(/[^\x20-\x7E]/g, '?')
  throw new UpstreamFault(
    'bad-answer',
    `the server answered with HTTP status ${response.status} and no message: ${words}`,
  )
}

async function* streamed(first: Response, question: Question, signal: AbortSignal): AsyncGenerator<RpcMessage> {
  const { id } = question
  let body = first.body
  let place: Place = { id: undefined, retryMs: undefined, resumes: 0 }
  while (body !== null) {
    try {
      for await (const event of readEvents(body)) {
        place = { ...place, id: event.id ?? place.id, retryMs: event.retryMs ?? place.retryMs }
        const message = event.data === '' ? undefined : readRpcMessage(readJson(event.data))
        if (message === undefined) continue
        place = { ...place, resumes: 0 }
        const answer = answerTo(id, message.whole)
        if (answer !== undefined) {
          yield answer
          return
        }
        // An answer to something that nobody asked here.
        if (message.kind !== 'answer') yield message
      }
    } catch {
      // Cut, or one event over the limit: taken up again where the server offers it, else ended without an answer.
      signal.throwIfAborted()
    }
    body = await resume(place, question, signal)
    place = { ...place, resumes: place.resumes + 1 }
  }
}

interface Place {
  readonly id: string | undefined
  readonly retryMs: number | undefined
  readonly resumes: number
}

/** Servers that poll cut the stream on purpose and keep the answer for whoever asks with the last id. */
async function resume(place: Place, { upstream, headers }: Question, signal: AbortSignal): Promise<Response['body']> {
  if (place.id === undefined || place.resumes >= PASSED_RESUMES_MAX) return null
  const waitMs = Math.min(Math.max(place.retryMs ?? 0, PASSED_RESUME_MS), PASSED_RESUME_MAX_MS)
  await pause(waitMs, undefined, { signal })
  const more = { ...headers, 'last-event-id': place.id }
  const response = await exchange(() => upstream.exchange({ method: 'GET', headers: more }, signal), signal)
  if (isEventStream(response)) return response.body
  await response.body?.cancel()
  return null
}

/** Some servers give a numeric id back as text, and errors about a whole request without one. */
function answerTo(id: RpcId, value: unknown): RpcAnswer | undefined {
  const message = readRpcMessage(value)
  if (message?.kind !== 'answer') return undefined
  const isOurs = message.id === undefined ? 'error' in message.whole : String(message.id) === String(id)
  return isOurs ? { kind: 'answer', id, whole: { ...message.whole, id } } : undefined
}
