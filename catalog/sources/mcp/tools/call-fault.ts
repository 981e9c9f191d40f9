import {
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../json.ts'
import { readJsonObject } from '../../../read-json.ts'
import { ToolTimedOut, ToolUnavailable } from '../../../tool.ts'
import { httpReason, otherContentWords } from '../connection/down-reason.ts'
import { dataWords, refusalWords } from '../connection/refusal-words.ts'
import { schemaWords } from '../connection/schema-words.ts'
import type { McpCallErrorCode } from '../errors.ts'
import { findCause, McpCallError, McpConnectError } from '../errors.ts'
import { ServerBusyError } from '../transport/http/server-busy.ts'
import { BAD_ANSWER_CODE, LOST_ANSWER_CODE, OVERSIZE_ANSWER_CODE } from '../transport/answer-guard.ts'

/** What a failed request says about the request, and about the session it was sent in. */
export interface CallFault {
  /** `ToolUnavailable` where nothing can have happened, `ToolTimedOut` where the wait ran out, else `McpCallError`. */
  readonly error: ToolUnavailable | ToolTimedOut | McpCallError
  /**
   * `gone`: the server cannot be reached, or lets us in no more; `forgotten`: it does not know our session; `doubtful`:
   * perhaps one of these, a ping will tell; `kept`: the fault is of this one request.
   */
  readonly session: 'gone' | 'forgotten' | 'doubtful' | 'kept'
  /** Where it was doubtful and is known after all: then the server refused this call. */
  readonly refusal?: McpCallError
}

export interface FaultContext {
  readonly hasSessionId: boolean
  /** A process is always the one that was greeted; what is behind an address may be another since, that speaks otherwise. */
  readonly isHttp: boolean
  /** How the connection ended by itself, if it did: `exited with code 1`. */
  readonly end: string | undefined
  /** Why we ended it, if we did: `the gateway is stopping`. */
  readonly endedHere: string | undefined
  readonly idleMs: number
  readonly clean: (text: string) => string
}

export function readCallFault(cause: unknown, context: FaultContext): CallFault {
  const connect = findCause(cause, (error): error is McpConnectError => error instanceof McpConnectError)
  if (connect !== undefined) return connectCallFault(connect, context)
  if (cause instanceof McpCallError) return { error: cause, session: 'kept' }
  if (cause instanceof SdkHttpError) return httpFault(cause, context)
  if (cause instanceof SdkError) return sdkFault(cause, context)
  if (cause instanceof ProtocolError) return protocolFault(cause, context)
  if (isSystemError(cause)) return fault('connection-lost', 'the connection broke before the answer came')
  // Warnings before the JSON, a page after it, an end in its middle.
  const why = cause instanceof SyntaxError ? `: ${context.clean(cause.message)}` : ''
  return fault('bad-answer', `the answer is no message of the protocol${why}`)
}

/** The SDK's error is not kept as the cause: it quotes the server, which may quote our secrets. */
function fault(code: McpCallErrorCode, message: string): CallFault {
  return { error: new McpCallError(code, message), session: 'kept' }
}

function unavailable(message: string): ToolUnavailable {
  return new ToolUnavailable(`${message}; nothing was run`)
}

/** From the socket: a reset, an end in mid-answer. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

function connectCallFault(cause: McpConnectError, { clean }: FaultContext): CallFault {
  // One tool may want more than the login allows; the others still work.
  if (cause.code === 'insufficient-scope') return { error: unavailable(clean(cause.message)), session: 'kept' }
  if (cause instanceof ServerBusyError) {
    const { message, hasBegunNothing } = cause
    return hasBegunNothing
      ? { error: unavailable(clean(message)), session: 'kept' }
      : fault('protocol-error', clean(message))
  }
  if (cause.code === 'message-too-large') return fault('answer-too-large', clean(cause.message))
  // Of a proxy before it, or of what comes after the deed: frameworks answer a form that was taken in with a redirect.
  if (cause.code === 'odd-status') return { ...fault('protocol-error', clean(cause.message)), session: 'doubtful' }
  return { error: unavailable(clean(cause.message)), session: 'gone' }
}

function httpFault(cause: SdkHttpError, { hasSessionId, clean }: FaultContext): CallFault {
  const { status } = cause
  // Of all requests, or of this tool alone.
  if (status === 401 || status === 403) return { error: unavailable(clean(httpReason(cause))), session: 'doubtful' }
  if (status === 429) return { error: unavailable(clean(httpReason(cause))), session: 'kept' }
  const refusal = new McpCallError(
    'protocol-error',
    clean(`the server answered the call with HTTP status ${status}${refusalWords(cause)}`),
  )
  // 404 is what the specification demands for a session that is gone; many servers answer 400, 410 or another of its kind
  // instead, and 500 those that trip over it. Each may as well be an answer to the call, which names it. A server without
  // sessions that was put back to an older revision refuses everything in the same ways.
  if ((status ?? 0) >= 400) {
    const isOfSession = hasSessionId && status === 404 && !namesRequest(cause)
    return isOfSession ? { error: forgotten(), session: 'forgotten' } : doubtful(refusal)
  }
  return { error: refusal, session: 'kept' }
}

function forgotten(): McpCallError {
  return new McpCallError('session-forgotten', 'the server no longer knew our session')
}

function doubtful(refusal: McpCallError): CallFault {
  return { error: forgotten(), session: 'doubtful', refusal }
}

/** Our requests are numbered; who does not know the session names none, or what is none of ours. */
function namesRequest({ data }: SdkHttpError): boolean {
  const text: unknown = isJsonObject(data) ? data['text'] : undefined
  const id = typeof text === 'string' ? readJsonObject(text)?.['id'] : undefined
  return typeof id === 'number'
}

function sdkFault(cause: SdkError, { end, endedHere, idleMs, clean }: FaultContext): CallFault {
  const { code } = cause
  if (code === SdkErrorCode.NotConnected) {
    return { error: unavailable('the server is not connected'), session: 'kept' }
  }
  if (code === SdkErrorCode.ConnectionClosed) {
    const isOurs = end === undefined && endedHere !== undefined
    const message = isOurs
      ? `the connection was ended before the server answered: ${endedHere}`
      : `the server ${end ?? 'went away'} before it answered`
    return fault('connection-lost', message)
  }
  if (code === SdkErrorCode.RequestTimeout) {
    const message = `the server sent neither an answer nor progress for ${idleMs} ms`
    return { error: new ToolTimedOut(message), session: 'kept' }
  }
  if (code === SdkErrorCode.CapabilityNotSupported || code === SdkErrorCode.InputRequiredRoundsExceeded) {
    return fault('input-required', 'the tool asks for more input while it runs, which is not offered here')
  }
  if (code === SdkErrorCode.ClientHttpUnexpectedContent) return fault('bad-answer', clean(otherContentWords(cause)))
  return fault('bad-answer', clean(`the answer breaks the protocol: ${schemaWords(cause.message)}`))
}

function protocolFault(cause: ProtocolError, { isHttp, clean }: FaultContext): CallFault {
  if (cause.code === LOST_ANSWER_CODE) return fault('connection-lost', cause.message)
  if (cause.code === OVERSIZE_ANSWER_CODE) return fault('answer-too-large', cause.message)
  if (cause.code === BAD_ANSWER_CODE) return fault('bad-answer', cause.message)
  if (cause instanceof MissingRequiredClientCapabilityError) {
    return fault('input-required', clean(cause.message))
  }
  const words = `${cause.message}${dataWords(cause.data, cause.message)}`
  const refusal = new McpCallError('protocol-error', clean(`the server refused: ${words} (code ${cause.code})`))
  // Some say in an answer with a 200 that they do not know the session, each under a code of its own.
  const isOfRequest = OF_REQUEST.has(cause.code) || cause instanceof UrlElicitationRequiredError
  return isHttp && !isOfRequest ? doubtful(refusal) : { error: refusal, session: 'kept' }
}

/** Said of what is asked for, by who has understood it. */
const OF_REQUEST: ReadonlySet<number> = new Set([METHOD_NOT_FOUND, INVALID_PARAMS])
