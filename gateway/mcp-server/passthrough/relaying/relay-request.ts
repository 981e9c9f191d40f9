import type { JsonObject } from '../../../../catalog/json.ts'
import { McpCallError } from '../../../../catalog/sources/mcp/errors.ts'
import { ToolTimedOut, ToolUnavailable } from '../../../../catalog/tool.ts'
import { checkRequest, offersNamedBy } from '../judging/check-request.ts'
import type { EventWriter } from './event-writer.ts'
import { openEventWriter } from './event-writer.ts'
import { filterAnswer, mayTell } from '../judging/filter-result.ts'
import { PASSED_KEEP_ALIVE_MS } from '../limits.ts'
import type { Passing } from './passing.ts'
import { ID_IN_USE, refusal, unanswered } from './passing.ts'
import { retellChanges } from './retell-changes.ts'
import type { RpcFault, RpcId, RpcMessage, RpcRequest } from '../judging/rpc-message.ts'
import { rpcFault } from '../judging/rpc-message.ts'
import { isIdInUse } from '../session-book.ts'
import type { Asked } from '../upstream/ask.ts'
import { ask } from '../upstream/ask.ts'
import { UpstreamFault } from '../upstream/upstream-fault.ts'

/** What the client is told beside the message: the session that began with it. */
export type HeadersOf = (asked: Asked) => Readonly<Record<string, string>>

const INTERNAL_ERROR = -32_603

/** Passes on any request but a call, and its answer without what the caller may not see. */
export async function relayRequest(message: RpcRequest, passing: Passing, headersOf: HeadersOf): Promise<Response> {
  const { gate, upstream, headers, session } = passing
  const fault = (await lookAtOffers(message, passing)) ?? checkRequest(message, gate)
  if (fault !== undefined) return refusal(message, fault)
  if (session !== undefined && isIdInUse(session, message.id)) return refusal(message, ID_IN_USE)
  const leaving = new AbortController()
  const signal = AbortSignal.any([passing.signal, leaving.signal])
  session?.requests.set(message.id, leaving)
  const isOver = (): void => void session?.requests.delete(message.id)
  let writer: EventWriter | undefined
  try {
    const asked = await ask({ upstream, id: message.id, body: message.whole, headers }, signal)
    const passed = passedMessages(asked, message, passing)
    if (!asked.isStream) {
      for await (const whole of passed) return Response.json(whole, { status: asked.status, headers: headersOf(asked) })
    }
    writer = openEventWriter({ headers: headersOf(asked), keepAliveMs: PASSED_KEEP_ALIVE_MS })
    return streamOf(passed, writer, { leaving, isOver, id: message.id, passing })
  } catch (error) {
    // Cancelled by its client, who is still there: by the protocol it is not answered. The end of its session it has to hear of.
    if (leaving.signal.aborted && !passing.signal.aborted && !(error instanceof UpstreamFault)) return unanswered()
    throw error
  } finally {
    if (writer === undefined) isOver()
  }
}

interface Leaving {
  readonly leaving: AbortController
  readonly isOver: () => void
  readonly id: RpcId
  readonly passing: Passing
}

function streamOf(
  passed: AsyncIterable<JsonObject>,
  writer: EventWriter,
  { leaving, isOver, id, passing }: Leaving,
): Response {
  const retelling = retellChanges(passing, (whole) => writer.send(whole))
  writer.gone.addEventListener('abort', () => leaving.abort(writer.gone.reason), { once: true })
  const send = (whole: JsonObject): Promise<void> => {
    retelling.note(whole)
    return writer.send(whole)
  }
  void pump(passed, send).finally(() => {
    retelling.end()
    isOver()
    const reason: unknown = leaving.signal.reason
    // Who waits is told that its session has ended, or it would wait on.
    if (reason instanceof UpstreamFault)
      void writer.send(rpcFault(id, { code: INTERNAL_ERROR, message: reason.message }))
    writer.end()
  })
  return writer.response
}

/** Why what the request names cannot be judged. */
async function lookAtOffers(message: RpcRequest, { gate, signal }: Passing): Promise<RpcFault | undefined> {
  const group = offersNamedBy(message)
  if (group === undefined) return undefined
  try {
    await gate.lookedAt(group, signal)
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ToolUnavailable || error instanceof ToolTimedOut || error instanceof McpCallError))
      throw error
    return { code: INTERNAL_ERROR, message: `what the server offers could not be screened: ${error.message}` }
  }
}

async function* passedMessages(asked: Asked, request: RpcRequest, { gate }: Passing): AsyncGenerator<JsonObject> {
  let isAnswered = false
  for await (const message of asked.messages) {
    if (message.kind === 'answer') isAnswered = true
    const passed = await passedMessage(message, request, gate)
    if (passed !== undefined) yield passed
  }
  const lost = { code: INTERNAL_ERROR, message: 'the server ended its stream before it answered' }
  if (!isAnswered) yield rpcFault(request.id, lost)
}

async function passedMessage(
  message: RpcMessage,
  request: RpcRequest,
  gate: Passing['gate'],
): Promise<JsonObject | undefined> {
  if (message.kind === 'answer') return filterAnswer(request, message.whole, gate)
  return mayTell(message, gate) ? message.whole : undefined
}

/** Never rejects: a stream that breaks ends for its reader too. */
async function pump(messages: AsyncIterable<JsonObject>, send: (message: JsonObject) => Promise<void>) {
  try {
    for await (const message of messages) await send(message)
  } catch {
    // Aborted by either side, or the server is gone: the end of the stream says so.
  }
}
