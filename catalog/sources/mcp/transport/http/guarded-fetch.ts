import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { FetchLike } from '@modelcontextprotocol/client'
import { McpConnectError } from '../../errors.ts'
import { IDLE_SOCKETS_MAX, IDLE_SOCKET_MS } from '../../limits.ts'
import type { AddressGuard } from './address-guard.ts'
import { boundBody } from './bounded-body.ts'
import { decodedBody } from './decoded-body.ts'
import { gatherResponse } from './gathered-response.ts'
import { mendedEvents } from './mended-events.ts'
import { plainHeaders } from './plain-headers.ts'

export interface GuardedFetch {
  readonly fetch: FetchLike
  /** Drops all connections. */
  close(): void
}

export interface GuardedFetchDeps {
  readonly guard: AddressGuard
  readonly maxBodyBytes: number
  readonly onOversize: () => void
  /** For messages of the protocol: those in JSON are whole when they are given and have no stream, and all are mended. */
  readonly json?: 'gathered'
}

/**
 * `fetch` over `node:http`, because the global one can neither choose the address it connects to nor be told to wait
 * longer than five minutes for the next event. Follows no redirect by itself.
 */
export function createGuardedFetch(deps: GuardedFetchDeps): GuardedFetch {
  const agentOptions = { keepAlive: true, maxFreeSockets: IDLE_SOCKETS_MAX, timeout: IDLE_SOCKET_MS }
  const targetOf = createTargets(deps.guard)
  const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) }
  return {
    async fetch(input, init = {}) {
      const target = targetOf(input)
      const options: RequestOptions = {
        ...target.options,
        method: init.method ?? 'GET',
        headers: headersOf(init),
        agent: agents[target.protocol],
        lookup: deps.guard.lookup,
      }
      const exchange = { url: target.url, options, body: bodyText(init.body), signal: init.signal ?? undefined }
      return send(exchange, async (message) => {
        const isOfMessages = deps.json === 'gathered'
        if (isOfMessages) refuseMove(message, target.url)
        const isOther = isOfMessages && message.statusCode === 200 && !isEventStream(message)
        // A page or a greeting for whoever looks is no stream of events.
        if (isOther && options.method === 'GET') return noStream(message)
        return isOther && !isMedia(message) ? gatherResponse(message, deps.maxBodyBytes) : toResponse(message, deps)
      })
    },
    close() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

function headersOf({ headers, body }: RequestInit): Record<string, string | number> {
  const plain: Record<string, string | number> = plainHeaders(headers)
  plain['accept-encoding'] = 'identity'
  // Without it the length is unknown and the body goes out in chunks, which some servers refuse.
  const text = bodyText(body)
  if (text !== undefined) plain['content-length'] = Buffer.byteLength(text)
  return plain
}

function essenceOf({ headers }: IncomingMessage): string {
  const [essence = ''] = (headers['content-type'] ?? '').split(';', 1)
  return essence.trim().toLowerCase()
}

function isEventStream(message: IncomingMessage): boolean {
  return essenceOf(message) === 'text/event-stream'
}

/** Of JSON any other name is met: a text, bytes, and a page where a language calls all so that says nothing else. */
function isMedia(message: IncomingMessage): boolean {
  return /^(?:image|audio|video|font|multipart)\//.test(essenceOf(message))
}

/** As a server says it that has none. */
function noStream(message: IncomingMessage): Response {
  message.destroy()
  return new Response(null, { status: 405 })
}

/** Only redirects that keep the method, within the origin, are followed: of any other it is said where it leads to. */
function refuseMove(message: IncomingMessage, from: URL): void {
  const { statusCode = 0, headers } = message
  const to = statusCode >= 300 && statusCode < 400 ? URL.parse(headers.location ?? '', from) : null
  if (to === null || ((statusCode === 307 || statusCode === 308) && to.origin === from.origin)) return
  message.destroy()
  const place = `${to.origin}${to.pathname}`
  const advice = 'redirects are not followed there; if that is the server, put this address into its configuration'
  throw new McpConnectError('unreachable', `the server redirects to ${place} (HTTP status ${statusCode}); ${advice}`)
}

function bodyText(body: RequestInit['body']): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('only text bodies are sent to servers')
}

interface Target {
  readonly url: URL
  readonly protocol: 'http:' | 'https:'
  /** What `node:http` would take out of the URL for each request. */
  readonly options: RequestOptions
}

/** Nearly every request goes where the last one went: that is taken apart, and its host looked at, once. */
function createTargets(guard: AddressGuard): (input: string | URL) => Target {
  let last: (Target & { readonly href: string }) | undefined
  return (input) => {
    const href = typeof input === 'string' ? input : input.href
    if (last?.href === href) return last
    const url = new URL(href)
    const { protocol } = url
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new McpConnectError('unreachable', `protocol "${protocol}" is not supported; use http or https`)
    }
    guard.checkHost(url.hostname)
    last = { href, url, protocol, options: urlToHttpOptions(url) }
    return last
  }
}

interface Exchange {
  readonly url: URL
  readonly options: RequestOptions
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}

async function send(
  { url, options, body, signal }: Exchange,
  respond: (message: IncomingMessage) => Promise<Response>,
): Promise<Response> {
  if (signal?.aborted === true) throw abortError(signal)
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = url.protocol === 'https:' ? httpsRequest(options) : httpRequest(options)
  let isConnected = false
  request.on('socket', (socket) => {
    isConnected = !socket.connecting
    // A kept connection has no such event any more; listeners would pile up on it.
    if (isConnected) return
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (isConnected = true))
  })
  request.on('error', (error: NodeJS.ErrnoException) => reject(isConnected ? error : connectFault(url, error)))
  // At once: the first bytes of the body come with the headers.
  request.on('response', (message) => resolve(respond(message)))
  if (signal !== undefined) endWith(request, signal)
  request.end(body)
  return promise
}

/** What the option `signal` does, which is a fifth of a request's cost: it watches every stream of it for each of its ends. */
function endWith(request: ClientRequest, signal: AbortSignal): void {
  const onAbort = (): void => void request.destroy(abortError(signal))
  signal.addEventListener('abort', onAbort, { once: true })
  request.once('close', () => signal.removeEventListener('abort', onAbort))
}

/** As `node:http` makes it. */
function abortError({ reason }: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: reason })
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
}

/** Nothing was sent: whoever called may say so. */
function connectFault(url: URL, error: NodeJS.ErrnoException): Error {
  if (error instanceof McpConnectError || error.name === 'AbortError') return error
  const reason = error.code ?? 'no connection'
  return new McpConnectError('unreachable', `cannot connect to ${url.host} (${reason})`, { cause: error })
}

function toResponse(
  message: IncomingMessage,
  { maxBodyBytes, onOversize, json }: Pick<GuardedFetchDeps, 'maxBodyBytes' | 'onOversize' | 'json'>,
): Response {
  const status = message.statusCode ?? 0
  if (status < 200 || status > 599) {
    message.destroy()
    throw new McpConnectError('unreachable', `the server answered with HTTP status ${status}`)
  }
  const headers = new Headers()
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const hasNoBody = status === 204 || status === 205 || status === 304
  if (hasNoBody) message.resume()
  const isStream = isEventStream(message)
  const body = hasNoBody ? null : boundBody(decodedBody(message), { maxBytes: maxBodyBytes, isStream, onOversize })
  const mended = body !== null && isStream && json === 'gathered' ? ReadableStream.from(mendedEvents(body)) : body
  return new Response(mended, { status, statusText: message.statusMessage ?? '', headers })
}
