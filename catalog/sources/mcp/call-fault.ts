import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'
import { ToolUnavailable } from '../../tool.ts'
import { LOST_ANSWER_CODE, OVERSIZE_ANSWER_CODE } from './answer-guard.ts'
import type { McpCallErrorCode } from './errors.ts'
import { findCause, McpCallError, McpConnectError } from './errors.ts'

/** What a failed request says about the request, and about the session it was sent in. */
export interface CallFault {
  /** `ToolUnavailable` where nothing can have happened, else `McpCallError`. */
  readonly error: ToolUnavailable | McpCallError
  /**
   * `gone`: the server cannot be reached; `forgotten`: it does not know our session; `doubtful`: perhaps forgotten, a
   * ping will tell; `kept`: the fault is of this one request.
   */
  readonly session: 'gone' | 'forgotten' | 'doubtful' | 'kept'
}

export interface FaultContext {
  readonly hasSessionId: boolean
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
  // What is left comes from the socket: a reset, an end in mid-answer.
  return fault('connection-lost', 'the connection broke before the answer came', { cause })
}

function fault(code: McpCallErrorCode, message: string, options: { readonly cause: unknown }): CallFault {
  return { error: new McpCallError(code, message, options), session: 'kept' }
}

function unavailable(message: string, cause: unknown): ToolUnavailable {
  return new ToolUnavailable(`${message}; nothing was run`, { cause })
}

function connectCallFault(cause: McpConnectError, { clean }: FaultContext): CallFault {
  if (cause.code === 'message-too-large') return fault('answer-too-large', clean(cause.message), { cause })
  return { error: unavailable(clean(cause.message), cause), session: 'gone' }
}

function httpFault(cause: SdkHttpError, { hasSessionId }: FaultContext): CallFault {
  const { status } = cause
  if (status === 401 || status === 403) {
    return { error: unavailable(authorizationFault(status), cause), session: 'gone' }
  }
  // 404 is what the specification demands for a session that is gone; 400 is what many servers answer instead.
  if (hasSessionId && (status === 404 || status === 400)) {
    const error = new McpCallError('session-forgotten', 'the server no longer knew our session', { cause })
    return { error, session: status === 404 ? 'forgotten' : 'doubtful' }
  }
  return fault('protocol-error', `the server answered the call with HTTP status ${status}`, { cause })
}

function sdkFault(cause: SdkError, { idleMs, clean }: FaultContext): CallFault {
  const { code } = cause
  if (code === SdkErrorCode.NotConnected) {
    return { error: unavailable('the server is not connected', cause), session: 'kept' }
  }
  if (code === SdkErrorCode.ConnectionClosed) {
    return fault('connection-lost', 'the server went away before it answered', { cause })
  }
  if (code === SdkErrorCode.RequestTimeout) {
    return fault('idle-timeout', `the server sent neither an answer nor progress for ${idleMs} ms`, { cause })
  }
  if (code === SdkErrorCode.CapabilityNotSupported || code === SdkErrorCode.InputRequiredRoundsExceeded) {
    return fault('input-required', 'the tool asks for more input while it runs, which is not offered here', { cause })
  }
  return fault('bad-answer', clean(`the answer breaks the protocol: ${cause.message}`), { cause })
}

function protocolFault(cause: ProtocolError, { clean }: FaultContext): CallFault {
  if (cause.code === LOST_ANSWER_CODE) return fault('connection-lost', cause.message, { cause })
  if (cause.code === OVERSIZE_ANSWER_CODE) return fault('answer-too-large', cause.message, { cause })
  if (cause instanceof MissingRequiredClientCapabilityError) {
    return fault('input-required', clean(cause.message), { cause })
  }
  return fault('protocol-error', clean(`the server refused: ${cause.message} (code ${cause.code})`), { cause })
}

export function authorizationFault(status: number): string {
  const what = status === 401 ? 'requires authorization' : 'denied access'
  return `the server ${what} (HTTP ${status}); check the headers in its configuration`
}
