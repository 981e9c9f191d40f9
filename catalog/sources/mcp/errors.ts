/** Why a call ended without an answer of the tool. */
export type McpCallErrorCode =
  | 'connection-lost'
  | 'answer-too-large'
  | 'bad-answer'
  | 'input-required'
  | 'protocol-error'
  | 'session-forgotten'

/**
 * A call was sent and its end is not known to be a success: the effect is `unknown`. Where nothing can have happened,
 * `ToolUnavailable` is thrown instead.
 */
export class McpCallError extends Error {
  override readonly name = 'McpCallError'
  readonly code: McpCallErrorCode
  constructor(code: McpCallErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Why no connection to a server could be made or kept. */
export type McpConnectErrorCode =
  | 'unreachable'
  | 'misconfigured'
  | 'forbidden-address'
  | 'cannot-start'
  | 'exited'
  | 'unauthorized'
  | 'needs-login'
  | 'insufficient-scope'
  | 'timed-out'
  | 'unknown-revision'
  | 'message-too-large'
  | 'odd-status'
  | 'busy'

export class McpConnectError extends Error {
  override readonly name = 'McpConnectError'
  readonly code: McpConnectErrorCode
  constructor(code: McpConnectErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** The first error of a chain of causes that `matches`. */
export function findCause<T extends Error>(error: unknown, matches: (candidate: unknown) => candidate is T) {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth += 1) {
    if (matches(current)) return current
  }
  return undefined
}
