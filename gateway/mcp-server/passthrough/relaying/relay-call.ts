import type { CallRequest, Dispatch } from '../../../../bridge/dispatcher.ts'
import type { JsonObject } from '../../../../catalog/json.ts'
import { canonicalJson, isJsonObject } from '../../../../catalog/json.ts'
import { readToolResult } from '../../../../catalog/sources/mcp/tools/tool-result.ts'
import type { ToolExecute, ToolResult } from '../../../../catalog/tool.ts'
import { ToolUnavailable } from '../../../../catalog/tool.ts'
import { toolId } from '../../../../catalog/tool-id.ts'
import type { CallAnswer, ServerAnswer } from './call-answer.ts'
import { callAnswer } from './call-answer.ts'
import type { EventWriter } from './event-writer.ts'
import { openEventWriter } from './event-writer.ts'
import { mayTell } from '../judging/filter-result.ts'
import {
  PASSED_CALLS_PER_SESSION_MAX,
  PASSED_GOODBYE_MS,
  PASSED_KEEP_ALIVE_MS,
  PASSED_REASON_MAX_LENGTH,
} from '../limits.ts'
import { paramHeaders } from './param-headers.ts'
import type { Passing } from './passing.ts'
import { CancelledByClient, ID_IN_USE, refusal, unanswered } from './passing.ts'
import { isStateless } from '../judging/check-request.ts'
import type { RpcRequest } from '../judging/rpc-message.ts'
import { isIdInUse } from '../session-book.ts'
import { ask } from '../upstream/ask.ts'
import type { UpstreamFaultCode } from '../upstream/upstream-fault.ts'
import { UpstreamFault } from '../upstream/upstream-fault.ts'

export interface RelayCallDeps {
  readonly dispatch: Dispatch
  readonly newId: () => string
  /** For the log: its client only sees the stream end. */
  readonly onDefect: (error: unknown) => void
  /** Aborted when the gateway stops. */
  readonly closing: AbortSignal
}

const INVALID_PARAMS = -32_602
const INVALID_REQUEST = -32_600

/**
 * A call takes the one path of every call (hooks, validation, policy, approval, receipt) and only its last step is
 * another: the admitted tool runs over the client's own connection to the server, so that what the server asks or tells
 * on the way reaches this client and no other.
 */
export async function relayCall(request: RpcRequest, passing: Passing, deps: RelayCallDeps): Promise<Response> {
  const { name, arguments: args = {} } = request.params
  if (typeof name !== 'string') return refusal(request, { code: INVALID_PARAMS, message: '"name" has to be a text' })
  const { session, gate, caller } = passing
  if (session !== undefined && isIdInUse(session, request.id)) return refusal(request, ID_IN_USE)
  if (session !== undefined && session.calls.size >= PASSED_CALLS_PER_SESSION_MAX) {
    const message = 'too many calls of this session are under way; wait for one, or cancel it'
    return refusal(request, { code: INVALID_REQUEST, message })
  }
  const cancelling = new AbortController()
  session?.calls.set(request.id, cancelling)
  const run = createServerRun(request, passing)
  const call: CallRequest = {
    callId: deps.newId(),
    target: { kind: 'text', text: toolId('mcp', gate.server, name) },
    args,
    view: gate.view,
    caller,
    execute: run.execute,
  }
  // In a session the client may go and come again; its call goes on, as the older revisions want it.
  const leaving = session === undefined || isStateless(request.params) ? [passing.signal] : []
  const signal = AbortSignal.any([cancelling.signal, deps.closing, ...leaving])
  const settled = deps.dispatch(call, signal).finally(() => session?.calls.delete(request.id))
  const ending = settled.then((end) => {
    const forgotten = run.forgotten()
    // Its client begins another one, and calls again: said in a result, nobody but a model would ever read it.
    if (forgotten !== undefined) throw forgotten
    return callAnswer(request, end, run.given())
  })
  const isCancelled = (): boolean => cancelling.signal.reason instanceof CancelledByClient
  return answerCall(ending, { ...run, isCancelled }, deps.onDefect)
}

interface AnswerableRun extends Pick<ServerRun, 'streaming'> {
  readonly isCancelled: () => boolean
}

/** As one JSON body, unless the server began to stream before the call ended; none where its client has cancelled it. */
async function answerCall(
  ending: Promise<CallAnswer>,
  { streaming, isCancelled }: AnswerableRun,
  onDefect: RelayCallDeps['onDefect'],
): Promise<Response> {
  const first = await Promise.race([ending, streaming])
  if ('response' in first) {
    void finish(ending, first, isCancelled).catch(onDefect)
    return first.response
  }
  return isCancelled() ? unanswered() : Response.json(first.whole, { status: first.status })
}

async function finish(ending: Promise<CallAnswer>, writer: EventWriter, isCancelled: () => boolean): Promise<void> {
  try {
    const { whole } = await ending
    if (!isCancelled()) await writer.send(whole)
  } finally {
    writer.end()
  }
}

/** The last step of a call: its request at the server, and what comes back on its way. */
interface ServerRun {
  readonly execute: ToolExecute
  /** Resolves when the server begins to stream; else never. */
  readonly streaming: Promise<EventWriter>
  given(): ServerAnswer | undefined
  /** That the server has made nothing of it, since it does not know the session. */
  forgotten(): UpstreamFault | undefined
}

function createServerRun(request: RpcRequest, passing: Passing): ServerRun {
  const { promise: streaming, resolve: openStream } = Promise.withResolvers<EventWriter>()
  let given: ServerAnswer | undefined
  let forgotten: UpstreamFault | undefined
  return {
    streaming,
    given: () => given,
    forgotten: () => forgotten,
    async execute(input, { signal }) {
      const { upstream, gate } = passing
      const body = { ...request.whole, params: passedParams(request.params, input) }
      const headers = callHeaders(request, input, passing)
      const stopCancelling = cancelWhenAborted(request, passing, signal)
      try {
        const asked = await ask({ upstream, id: request.id, body, headers }, signal)
        const writer = asked.isStream ? openEventWriter({ headers: {}, keepAliveMs: PASSED_KEEP_ALIVE_MS }) : undefined
        if (writer !== undefined) openStream(writer)
        for await (const message of asked.messages) {
          if (message.kind !== 'answer') {
            if (mayTell(message, gate)) await writer?.send(message.whole)
            continue
          }
          const { result, error } = message.whole
          const read = isJsonObject(result) ? readPassedResult(result) : undefined
          given = { status: asked.status, answer: message, result: read }
          if (read !== undefined) return read
          throw new Error(errorText(error))
        }
        throw new UpstreamFault('no-answer', 'the server ended its stream before it answered')
      } catch (error) {
        if (!(error instanceof UpstreamFault) || !UNTRIED.has(error.code)) throw error
        if (error.code === 'session-forgotten') forgotten = error
        throw new ToolUnavailable(error.message, { cause: error })
      } finally {
        stopCancelling()
      }
    },
  }
}

const UNTRIED: ReadonlySet<UpstreamFaultCode> = new Set(['unreachable', 'busy', 'session-forgotten'])

/** Tasks do not pass: a call that made one would end before its tool did. */
function passedParams({ task: _task, ...params }: JsonObject, input: JsonObject): JsonObject {
  const isUnchanged = params['arguments'] === undefined && Object.keys(input).length === 0
  return isUnchanged ? params : { ...params, arguments: input }
}

/**
 * A question back (`input_required`) is no end of the tool's: the call ends as failed, with nothing done that the server
 * would say, and the client's next request is a call of its own.
 */
function readPassedResult(result: JsonObject): ToolResult {
  if (result['resultType'] !== 'input_required') return readToolResult(result)
  const { inputRequests } = result
  const asked = isJsonObject(inputRequests) ? Object.values(inputRequests).map(methodOf).join(', ') : 'its state'
  const text = `the server asks for input before it goes on: ${asked}`.slice(0, PASSED_REASON_MAX_LENGTH)
  return { content: [{ type: 'text', text }], isError: true }
}

function methodOf(request: unknown): string {
  return isJsonObject(request) && typeof request['method'] === 'string' ? request['method'] : 'something unknown'
}

function errorText(error: unknown): string {
  const message = isJsonObject(error) ? error['message'] : undefined
  return typeof message === 'string' ? message : 'the server answered with an error without words'
}

/** Headers repeat arguments; where a hook or a repair changed one, they have to say the new one. */
function callHeaders(request: RpcRequest, input: JsonObject, { headers, gate }: Passing) {
  const { name, arguments: args = {} } = request.params
  if (canonicalJson(args) === canonicalJson(input)) return headers
  const others = Object.entries(headers).filter(([header]) => !header.startsWith('mcp-param-'))
  const tool = typeof name === 'string' ? gate.tool(name) : undefined
  return { ...Object.fromEntries(others), ...(tool && paramHeaders(tool.inputSchema, input)) }
}

/** In a session the end of a connection says nothing to a server; it has to be told. */
function cancelWhenAborted(request: RpcRequest, { upstream, session, headers }: Passing, signal: AbortSignal) {
  if (session === undefined) return () => {}
  const cancel = (): void => {
    const params = { requestId: request.id, reason: 'cancelled by the client or its gateway' }
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
    upstream
      .exchange({ method: 'POST', headers, body }, AbortSignal.timeout(PASSED_GOODBYE_MS))
      .then((response) => response.body?.cancel())
      .catch(() => {
        // A server that is gone has nothing to cancel.
      })
  }
  signal.addEventListener('abort', cancel, { once: true })
  return () => signal.removeEventListener('abort', cancel)
}
