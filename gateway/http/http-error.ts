import type { FastifyReply, FastifyRequest } from 'fastify'
import { StoreError } from '../store/errors.ts'
import type { TurnFailure } from '../turn/turn.ts'
import { bearerChallenge } from './bearer-challenge.ts'
import { letBodyArrive } from './let-body-arrive.ts'

/** Every code that a client of ours can get, with the status and type that go with it. */
export const httpErrors = {
  invalid_request: { status: 400, type: 'invalid_request_error' },
  invalid_json: { status: 400, type: 'invalid_request_error' },
  invalid_history: { status: 400, type: 'invalid_request_error' },
  unknown_agent: { status: 400, type: 'invalid_request_error' },
  no_tools_allowed: { status: 400, type: 'invalid_request_error' },
  unsupported_parameter: { status: 400, type: 'invalid_request_error' },
  context_length_exceeded: { status: 400, type: 'invalid_request_error' },
  upstream_refused_request: { status: 400, type: 'invalid_request_error' },
  missing_token: { status: 401, type: 'authentication_error' },
  invalid_token: { status: 401, type: 'authentication_error' },
  forbidden: { status: 403, type: 'permission_error' },
  turn_blocked: { status: 403, type: 'permission_error' },
  not_found: { status: 404, type: 'not_found_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'timeout_error' },
  conflict: { status: 409, type: 'conflict_error' },
  body_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  upstream_rate_limited: { status: 429, type: 'rate_limit_error' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  internal_error: { status: 500, type: 'internal_error' },
  upstream_key_refused: { status: 502, type: 'upstream_error' },
  upstream_unreachable: { status: 502, type: 'upstream_error' },
  upstream_model_not_found: { status: 502, type: 'upstream_error' },
  upstream_failed: { status: 502, type: 'upstream_error' },
  upstream_invalid_answer: { status: 502, type: 'upstream_error' },
  step_limit: { status: 502, type: 'upstream_error' },
  tool_choice_unmet: { status: 502, type: 'upstream_error' },
  busy: { status: 503, type: 'overloaded_error' },
  unavailable: { status: 503, type: 'unavailable_error' },
  upstream_timeout: { status: 504, type: 'timeout_error' },
} as const

export type HttpErrorCode = keyof typeof httpErrors

export interface ErrorBody {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly code: HttpErrorCode
    readonly param?: string
  }
}

/** Thrown by a route, and answered by `answerError`; its message is written for the client. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: HttpErrorCode
  /** The field of the request, e.g. `messages[3].tool_call_id`. */
  readonly param: string | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(
    code: HttpErrorCode,
    message: string,
    options: { readonly param?: string; readonly retryAfterSeconds?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.param = options.param
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return httpErrors[this.code].status
  }

  get body(): ErrorBody {
    const { type } = httpErrors[this.code]
    const param = this.param === undefined ? {} : { param: this.param }
    return { error: { message: this.message, type, code: this.code, ...param } }
  }
}

/** Fastify's error handler for every route: the client gets the error, the log gets what a defect was. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = withLimit(httpErrorOf(error, request.id), request)
  if (known.code === 'internal_error') request.log.error({ err: error }, 'request failed by a defect')
  if (known.cause instanceof StoreError) request.log.error({ err: error }, 'request failed by the store')
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds))
  const challenge = bearerChallenge(known)
  if (challenge !== undefined) reply.header('www-authenticate', challenge)
  if (known.code === 'body_too_large') letBodyArrive(request, reply)
  // Client libraries ask again by themselves after a 503, and calls would be made twice.
  if (known.cause instanceof StoreError && known.cause.isAfterCalls) reply.header('x-should-retry', 'false')
  reply.code(known.status).header('x-request-id', request.id).send(known.body)
}

/** Fastify's own does not say how large a body may be. */
export function withLimit(error: HttpError, request: FastifyRequest): HttpError {
  if (error.code !== 'body_too_large') return error
  const { bodyLimit } = request.routeOptions
  return new HttpError(error.code, `the body is larger than the ${bodyLimit} bytes that are read here; send less`, {
    cause: error,
  })
}

/** Whatever was thrown, as an error for the client; a defect only as an internal error with the request's id. */
export function httpErrorOf(error: unknown, requestId: string): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof StoreError) return storeError(error)
  const code = fastifyCode(error)
  if (code === 'unsupported_media_type') return new HttpError(code, MEDIA_TYPE_MESSAGE, { cause: error })
  if (code !== undefined && error instanceof Error)
    return new HttpError(code, lowerFirst(error.message), { cause: error })
  return new HttpError('internal_error', `internal error; the log has the details under request id ${requestId}`, {
    cause: error,
  })
}

/** The message with the file's name is for the log. */
function storeError(error: StoreError): HttpError {
  if (error.isAfterCalls) {
    const after = `calls may have been made, and the store cannot keep what came of them (${error.code}); look at what they did before you ask again`
    return new HttpError('unavailable', after, { cause: error })
  }
  const message = `the store cannot keep or read this at the moment (${error.code}); nothing was changed; try again`
  return new HttpError('unavailable', message, { cause: error, retryAfterSeconds: 1 })
}

/** Fastify's own says no more than that it was wrong. */
const MEDIA_TYPE_MESSAGE = 'the body has a type that is not read here; send JSON with "content-type: application/json"'

export function turnError(failure: TurnFailure): HttpError {
  return new HttpError(failure.code, failure.message, {
    ...(failure.param !== undefined && { param: failure.param }),
    ...(failure.retryAfterSeconds !== undefined && { retryAfterSeconds: failure.retryAfterSeconds }),
  })
}

/** What Fastify itself refuses before a route runs. */
function fastifyCode(error: unknown): HttpErrorCode | undefined {
  if (!(error instanceof Error)) return undefined
  switch ('code' in error ? error.code : '') {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return 'invalid_json'
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'body_too_large'
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'unsupported_media_type'
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_VALIDATION':
      return 'invalid_request'
    default:
      return isClientStatus(error) ? 'invalid_request' : undefined
  }
}

function isClientStatus(error: Error): boolean {
  const status = 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 500
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
