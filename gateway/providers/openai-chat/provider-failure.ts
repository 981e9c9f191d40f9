import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import { isJsonObject } from '../../../catalog/json.ts'
import { UPSTREAM_MESSAGE_MAX_LENGTH } from '../limits.ts'
import { ErrorFrame, PageAnswer } from './open-chunks.ts'
import type { ProviderErrorCode } from '../provider.ts'
import { ProviderError } from '../provider.ts'
import { wordsOf } from './refusal-body.ts'

export interface Upstream {
  readonly name: string
  readonly baseUrl: string
  /** The key and configured header values: never part of a message. */
  readonly secrets: readonly string[]
}

/** What the client library threw, as an error of ours that says which provider, what happened and what to do. */
export function providerFailure(error: unknown, upstream: Upstream, model: string): ProviderError {
  if (error instanceof ProviderError) return error
  if (error instanceof APIConnectionTimeoutError) return timedOut(upstream, error)
  if (error instanceof APIConnectionError) return unreachable(error, upstream)
  if (error instanceof APIError || error instanceof ErrorFrame) return refused(error, upstream, model)
  if (error instanceof PageAnswer) return pageInstead(upstream)
  const isInvalid = error instanceof SyntaxError || error instanceof RangeError
  const why = isInvalid ? 'sent an event that cannot be read' : 'broke off in the middle of its answer'
  const code = isInvalid ? 'upstream_invalid_answer' : 'upstream_failed'
  return new ProviderError(`provider "${upstream.name}" ${why}; ask again`, { code, cause: error })
}

export function timedOut(upstream: Upstream, cause?: unknown): ProviderError {
  return new ProviderError(
    `provider "${upstream.name}" at ${hostOf(upstream.baseUrl)} did not answer in time; ask again or look at its load`,
    { code: 'upstream_timeout', cause },
  )
}

function pageInstead({ name, baseUrl }: Upstream): ProviderError {
  const where = `check that models.providers.${name}.baseUrl, now at ${hostOf(baseUrl)}, is that of an API (it often ends in /v1)`
  return new ProviderError(`provider "${name}" answered with a web page; ${where}`, { code: 'upstream_invalid_answer' })
}

function unreachable(error: APIConnectionError, upstream: Upstream): ProviderError {
  const reason = systemCodeOf(error)
  return new ProviderError(
    `provider "${upstream.name}" cannot be reached at ${hostOf(upstream.baseUrl)}${reason ? ` (${reason})` : ''}; ` +
      `check that it runs and that models.providers.${upstream.name}.baseUrl names it`,
    { code: 'upstream_unreachable', cause: error },
  )
}

function refused(error: APIError | ErrorFrame, upstream: Upstream, model: string): ProviderError {
  const refusal = error instanceof ErrorFrame ? frameRefusal(error) : statusRefusal(error)
  const code = codeOf(refusal)
  const { retryAfterSeconds } = refusal
  return new ProviderError(messageOf(code, { refusal, upstream, model }), {
    code,
    // Its message may quote the key, and causes are logged.
    cause: code === 'upstream_key_refused' ? undefined : error,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

interface Refusal {
  readonly status: number | undefined
  readonly code: unknown
  readonly type: unknown
  readonly said: string
  readonly retryAfterSeconds?: number | undefined
}

function statusRefusal(error: APIError): Refusal {
  const body: unknown = error.error
  // The words of a page are markup.
  const said =
    wordsOf(body) ??
    (isJsonObject(body) || /<(?:!doctype|html|head|body|h1|center)\b/i.test(error.message) ? '' : error.message)
  const { status, code, type, headers } = error
  return { status, code, type, said, retryAfterSeconds: retryAfterOf(headers) }
}

/** OpenRouter and others put the status into `code`. */
function frameRefusal({ body }: ErrorFrame): Refusal {
  const code = isJsonObject(body) ? body['code'] : undefined
  const status = Number(code)
  const isStatus = Number.isInteger(status) && status >= 400 && status <= 599
  const type = isJsonObject(body) ? body['type'] : undefined
  return { status: isStatus ? status : undefined, code, type, said: wordsOf(body) ?? '' }
}

function codeOf(refusal: Refusal): ProviderErrorCode {
  if (isTooLong(refusal)) return 'context_length_exceeded'
  switch (refusal.status ?? 0) {
    case 401:
    case 403:
      return 'upstream_key_refused'
    case 404:
      return 'upstream_model_not_found'
    case 408:
    case 504:
      return 'upstream_timeout'
    case 429:
      return 'upstream_rate_limited'
    case 400:
    case 413:
    case 422:
      return 'upstream_refused_request'
    default:
      return 'upstream_failed'
  }
}

/**
 * Clients shorten their history for this one, so it is told apart wherever it can be: llama.cpp has a type of its own for
 * it; vLLM, Mistral, LM Studio, Gemini, Anthropic and OpenRouter have nothing but their words.
 */
function isTooLong({ status, code, type, said }: Refusal): boolean {
  if (code === 'context_length_exceeded' || type === 'exceed_context_size_error') return true
  const isRefusal = status === undefined || status === 400 || status === 413 || status === 422
  return isRefusal && TOO_LONG.test(said.slice(0, UPSTREAM_MESSAGE_MAX_LENGTH))
}

const TOO_LONG =
  /maximum context length|context (?:size|length|window).*exceed|exceed.*context (?:size|length|window)|greater than the context length|prompt is too long|input token count.*exceeds/is

function messageOf(
  code: ProviderErrorCode,
  about: { readonly refusal: Refusal; readonly upstream: Upstream; readonly model: string },
): string {
  const { name, secrets } = about.upstream
  const said = quoted(about.refusal.said, secrets)
  const status = about.refusal.status === undefined ? '' : ` (${about.refusal.status})`
  if (code === 'upstream_key_refused') {
    return `provider "${name}" refused its key${status}; check models.providers.${name}.apiKey`
  }
  if (code === 'upstream_model_not_found') {
    return `provider "${name}" has no model "${about.model}", or its base URL is wrong${status}${said}`
  }
  if (code === 'upstream_rate_limited') return `provider "${name}" is over its limit${status}${said}`
  return `provider "${name}" refused or failed the model step${status}${said}`
}

/** The upstream's own words, one line, bounded and without our secrets. */
function quoted(text: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
  const line = clean.replaceAll(/\s+/g, ' ').trim()
  return line === '' ? '' : `: ${line.slice(0, UPSTREAM_MESSAGE_MAX_LENGTH)}`
}

/** Whole seconds; the header may hold a number or a date. Clocks differ, so a date in the past is 0. */
function retryAfterOf(headers: Headers | undefined): number | undefined {
  const ms = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(ms)) return Math.max(0, Math.ceil(ms / 1000))
  const value = headers?.get('retry-after')
  if (value === null || value === undefined) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds))
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - Date.now()) / 1000))
}

function systemCodeOf(error: unknown): string | undefined {
  for (let current = error, depth = 0; current instanceof Error && depth < 8; current = current.cause, depth += 1) {
    if ('code' in current && typeof current.code === 'string') return current.code
    if (current instanceof AggregateError && current.errors.length > 0) return systemCodeOf(current.errors[0])
  }
  return undefined
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl
}
