import type { FetchLike } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'
import { McpConnectError } from '../../errors.ts'
import type { AddressGuard } from './address-guard.ts'
import { askServer } from './ask-server.ts'
import { boundBody, tooLarge } from './bounded-body.ts'
import { decodedBody } from './decoded-body.ts'
import { GatheredResponse, gatherResponse } from './gathered-response.ts'
import { createGuardedConnections } from './guarded-connections.ts'
import type { HttpAnswer, HttpHead } from './http-answer.ts'
import { headerOf } from './http-answer.ts'
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
 * `fetch` over the client that lies under Node's own, because that one can neither choose the address it connects to nor be
 * told to wait longer than five minutes for the next event. Follows no redirect by itself.
 */
export function createGuardedFetch(deps: GuardedFetchDeps): GuardedFetch {
  const targetOf = createTargets(deps.guard)
  const connections = createGuardedConnections(deps.guard)
  const { maxBodyBytes } = deps
  const isOfMessages = deps.json === 'gathered'
  const options = { abortError, maxGatheredBytes: maxBodyBytes, tooLarge: () => tooLarge(maxBodyBytes) }
  return {
    async fetch(input, init = {}) {
      const target = targetOf(input)
      if (init.signal?.aborted === true) throw abortError(init.signal)
      const client = connections.client ?? (await connections.open())
      const isLook = (init.method ?? 'GET') === 'GET'
      const isGathered = isOfMessages && !isLook ? isWholeMessage : never
      const signal = init.signal ?? undefined
      const answer = await askServer(client, requestOf(target, init), { ...options, signal, isGathered })
      if ('text' in answer) return new GatheredResponse(answer.text, answer)
      if (isOfMessages) refuseMove(answer, target.url)
      const isOther = isOfMessages && answer.statusCode === 200 && !isEventStream(answer)
      // A page or a greeting for whoever looks is no stream of events.
      if (isOther && isLook) return noStream(answer)
      return isOther && !isMedia(answer) ? gatherResponse(answer, maxBodyBytes) : toResponse(answer, deps)
    },
    close: () => connections.close(),
  }
}

interface Target {
  readonly url: URL
  readonly origin: string
  readonly path: string
  /** Of the name and password that stand in the address. */
  readonly headers: Readonly<Record<string, string>>
}

/** Nearly every request goes where the last one went: that is taken apart, and its host looked at, once. */
function createTargets(guard: AddressGuard): (input: string | URL) => Target {
  let last: (Target & { readonly href: string }) | undefined
  return (input) => {
    const href = typeof input === 'string' ? input : input.href
    if (last?.href === href) return last
    const url = new URL(href)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new McpConnectError('unreachable', `protocol "${url.protocol}" is not supported; use http or https`)
    }
    guard.checkHost(url.hostname)
    last = { href, url, origin: url.origin, path: `${url.pathname}${url.search}`, headers: credentialsOf(url) }
    return last
  }
}

function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function requestOf({ origin, path, headers }: Target, init: RequestInit): Dispatcher.DispatchOptions {
  // Firewalls in common use refuse who does not name itself.
  const sent = {
    'user-agent': 'drawbridge',
    ...headers,
    ...messageHeaders(init.headers),
    'accept-encoding': 'identity',
  }
  return { origin, path, method: init.method ?? 'GET', headers: sent, body: bodyText(init.body) }
}

/** The usual answer to a request of the protocol. */
function isWholeMessage(head: HttpHead): boolean {
  return head.statusCode === 200 && essenceOf(head) === 'application/json' && headerOf(head, 'content-encoding') === ''
}

/** Without those that are about the connection and the length, which are the client's to say, and refused in its place. */
function messageHeaders(headers: RequestInit['headers']): Record<string, string> {
  const plain = plainHeaders(headers)
  for (const name of Object.keys(plain)) if (OF_THE_CONNECTION.has(name)) delete plain[name]
  return plain
}

const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/** As `fetch` makes it, and with what it was for. */
function abortError({ reason }: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: reason })
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
}

function bodyText(body: RequestInit['body']): string | null {
  if (body === undefined || body === null) return null
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('only text bodies are sent to servers')
}

/** Only redirects that keep the method, within the origin, are followed: of any other it is said where it leads to. */
function refuseMove(answer: HttpAnswer, from: URL): void {
  const { statusCode, body } = answer
  const location = headerOf(answer, 'location')
  const isMove = statusCode >= 300 && statusCode < 400 && location !== ''
  const to = isMove ? URL.parse(location, from) : null
  if (to === null || ((statusCode === 307 || statusCode === 308) && to.origin === from.origin)) return
  body.destroy()
  const place = `${to.origin}${to.pathname}`
  const advice = 'redirects are not followed there; if that is the server, put this address into its configuration'
  throw new McpConnectError('odd-status', `the server redirects to ${place} (HTTP status ${statusCode}); ${advice}`)
}

/** As a server says it that has none. */
function noStream({ body }: HttpAnswer): Response {
  body.destroy()
  return new Response(null, { status: 405 })
}

function toResponse(
  answer: HttpAnswer,
  { maxBodyBytes, onOversize, json }: Pick<GuardedFetchDeps, 'maxBodyBytes' | 'onOversize' | 'json'>,
): Response {
  const { statusCode: status, statusText } = answer
  if (status < 200 || status > 599) {
    answer.body.destroy()
    throw new McpConnectError('odd-status', `the server answered with HTTP status ${status}`)
  }
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(answer.headers)) {
    for (const value of typeof values === 'string' ? [values] : values) headers.append(name, value)
  }
  const hasNoBody = status === 204 || status === 205 || status === 304
  if (hasNoBody) answer.body.resume()
  const isStream = isEventStream(answer)
  const body = hasNoBody ? null : boundBody(decodedBody(answer), { maxBytes: maxBodyBytes, isStream, onOversize })
  const mended = body !== null && isStream && json === 'gathered' ? ReadableStream.from(mendedEvents(body)) : body
  return new Response(mended, { status, statusText, headers })
}

function never(): boolean {
  return false
}

function isEventStream(answer: HttpHead): boolean {
  return essenceOf(answer) === 'text/event-stream'
}

/** Of JSON any other name is met: a text, bytes, and a page where a language calls all so that says nothing else. */
function isMedia(answer: HttpHead): boolean {
  return /^(?:image|audio|video|font|multipart)\//.test(essenceOf(answer))
}

function essenceOf(answer: HttpHead): string {
  const [essence = ''] = headerOf(answer, 'content-type').split(';', 1)
  return essence.trim().toLowerCase()
}
