import type { FetchLike, JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client'
import { SSEClientTransport, SseError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { McpTiming } from '../../limits.ts'
import { GOODBYE_MS, STREAM_END_GRACE_MS, STREAM_RETRIES } from '../../limits.ts'
import type { HttpServerConfig } from '../../server-config.ts'
import type { AnswerGuard, RequestId, RequestWatch } from '../answer-guard.ts'
import { BAD_ANSWER_CODE, createAnswerGuard, LOST_ANSWER_CODE, OVERSIZE_ANSWER_CODE } from '../answer-guard.ts'
import { createAddressGuard } from './address-guard.ts'
import type { DirectCalls, DirectEnd } from './direct-calls.ts'
import { createDirectCalls } from './direct-calls.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import type { LenientNotificationsDeps } from './lenient-notifications.ts'
import { lenientNotifications } from './lenient-notifications.ts'
import { tellingOlderStream } from './older-stream.ts'
import { patientStream } from './patient-stream.ts'
import { tellingRefusals } from './posted-refusals.ts'
import { ServerBusyError, tellingBusy } from './server-busy.ts'
import type { StreamResumes } from './stream-resumes.ts'
import { createStreamResumes } from './stream-resumes.ts'

export interface HttpTransportDeps {
  readonly kind: 'http' | 'sse'
  readonly timing: McpTiming
  readonly maxMessageBytes: number
  readonly forbiddenAddresses: readonly string[]
  readonly authorize?: (fetch: FetchLike) => FetchLike
  readonly onStrayAnswer: () => void
  readonly onRefusedNotification: LenientNotificationsDeps['onRefused']
  readonly watch?: RequestWatch
}

/** One of the SDK's HTTP transports behind our own `fetch`, with answers that are lost made known. */
export class HttpTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  readonly hasPerRequestStream: boolean
  readonly #inner: Transport
  /** The same as `inner`, when it is of the newer kind. */
  readonly #streamable: StreamableHTTPClientTransport | undefined
  readonly #http: GuardedFetch
  readonly #headers: Readonly<Record<string, string>>
  readonly #direct: DirectCalls
  #protocolVersion: string | undefined
  readonly #guard: AnswerGuard
  readonly #requests = new Map<RequestId, AbortController>()
  readonly #resumes: StreamResumes
  #isOversize = false
  /** It has said something in the protocol. */
  #isGreeted = false
  #end: string | undefined
  #isClosed = false
  #closing: Promise<void> | undefined

  constructor(config: HttpServerConfig, deps: HttpTransportDeps) {
    const url = new URL(config.url)
    this.#headers = { ...config.headers }
    this.#resumes = createStreamResumes({
      timing: deps.timing,
      onHopeless: (id) => this.#guard.fail(id, LOST_ANSWER_CODE, 'the server ended the stream again and again'),
    })
    this.hasPerRequestStream = deps.kind === 'http'
    this.#guard = createAnswerGuard({
      deliver: (message) => this.onmessage?.(message),
      reportStray: deps.onStrayAnswer,
      onSettled: (id, how) => this.#release(id, how),
      ...(deps.watch && { watch: deps.watch }),
    })
    this.#http = createGuardedFetch({
      guard: createAddressGuard({
        configuredHost: url.hostname,
        allowPrivateAddresses: config.allowPrivateAddresses ?? false,
        forbidden: deps.forbiddenAddresses,
      }),
      maxBodyBytes: deps.maxMessageBytes,
      onOversize: () => (this.#isOversize = true),
      json: 'gathered',
    })
    const { authorize = (inner) => inner } = deps
    this.#direct = createDirectCalls(url, authorize(this.#http.fetch))
    const heard = lenientNotifications(this.#direct.fetch, {
      patienceMs: deps.timing.notificationMs,
      onRefused: deps.onRefusedNotification,
    })
    const { timing } = deps
    const onLost = (error: Error): void => this.#failed(error)
    const fetch =
      deps.kind === 'sse'
        ? tellingRefusals(tellingBusy(heard))
        : tellingBusy(
            patientStream(
              tellingOlderStream(heard, () => this.#isGreeted),
              { timing, onLost },
            ),
          )
    const options = { fetch, requestInit: { headers: this.#headers } }
    this.#streamable =
      deps.kind === 'sse'
        ? undefined
        : new StreamableHTTPClientTransport(url, {
            ...options,
            reconnectionOptions: STREAM_RETRIES,
            reconnectionScheduler: (reconnect, delayMs) => this.#resume(reconnect, delayMs),
          })
    this.#inner = this.#streamable ?? new SSEClientTransport(url, options)
  }

  get sessionId(): string | undefined {
    return this.#streamable?.sessionId
  }

  /** How the connection ended by itself, if it did. */
  get end(): string | undefined {
    return this.#end
  }

  async start(): Promise<void> {
    const handlers: Pick<Transport, 'onmessage' | 'onerror' | 'onclose'> = {
      onmessage: (message) => this.#received(message),
      onerror: (error) => this.#failed(error),
      onclose: () => this.#closed(),
    }
    Object.assign(this.#inner, handlers)
    await this.#inner.start()
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version
    this.#inner.setProtocolVersion?.(version)
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    this.#guard.sent(message)
    if (!('method' in message) || !('id' in message)) {
      await this.#inner.send(message, options)
      return
    }
    const { id } = message
    const stop = new AbortController()
    this.#requests.set(id, stop)
    options.requestSignal?.addEventListener('abort', () => this.#guard.abandon(id), { once: true })
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.()
      // The SDK would let the caller wait for its timeout.
      if (this.#isOversize) this.#guard.fail(id, OVERSIZE_ANSWER_CODE, 'the answer is larger than the limit')
      else this.#guard.fail(id, LOST_ANSWER_CODE, 'the server ended the stream before it answered')
      this.#isOversize = false
    }
    try {
      const end = await this.#sendDirectly(message, options, stop.signal)
      if (typeof end === 'object') {
        // Nothing is open any more that would have to be let go.
        this.#requests.delete(id)
        this.#received(end)
      } else {
        const sent = { ...options, requestSignal: stop.signal, onRequestStreamEnd }
        await this.#resumes.within(id, () => this.#inner.send(message, sent))
      }
      // It came whole: where that was no answer, none follows that the caller could wait for.
      if (end !== 'unread') this.#guard.fail(id, BAD_ANSWER_CODE, 'what the server sent is no answer to this request')
    } catch (error) {
      this.#guard.abandon(id)
      throw error
    } finally {
      this.#direct.forget(message)
    }
  }

  async close(): Promise<void> {
    // Those who wait for an answer learn of it now; taking leave may take a second.
    this.#closed()
    this.#closing ??= this.#takeLeave()
    await this.#closing
  }

  async #sendDirectly(
    message: JSONRPCMessage,
    { resumptionToken, headers = {} }: TransportSendOptions,
    signal: AbortSignal,
  ): Promise<DirectEnd> {
    // Headers of a call's own are the SDK's to choose from.
    const hasMore = resumptionToken !== undefined || Object.keys(headers).length > 0
    if (this.#streamable === undefined || hasMore) return 'unread'
    const connected = { headers: this.#headers, sessionId: this.sessionId, protocolVersion: this.#protocolVersion }
    try {
      return await this.#direct.send(message, connected, signal)
    } catch (error) {
      // As the SDK's transport tells of it.
      if (!signal.aborted && error instanceof Error) this.#failed(error)
      throw error
    }
  }

  #received(message: JSONRPCMessage): void {
    this.#isGreeted = true
    this.#resumes.received()
    this.#guard.received(message)
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }

  async #takeLeave(): Promise<void> {
    if (this.#streamable?.sessionId !== undefined) {
      // Stateful servers keep a child or a context for each session that nobody ended.
      const goodbye = this.#streamable.terminateSession().catch(() => {
        // A server that is gone or has no DELETE has nothing to end.
      })
      await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())])
    }
    await this.#inner.close()
    for (const stop of this.#requests.values()) stop.abort()
    this.#http.close()
  }

  /**
   * Lets go of the connection that an answer was awaited on. The SDK itself leaves it open after a timeout, where a server
   * that hangs would gather them; one that has answered gets a moment to end its stream in order.
   */
  #release(id: RequestId, how: 'answered' | 'given-up'): void {
    const stop = this.#requests.get(id)
    if (stop === undefined) return
    this.#requests.delete(id)
    this.#resumes.forget(id)
    if (how === 'given-up') stop.abort()
    else setTimeout(() => stop.abort(), STREAM_END_GRACE_MS).unref()
  }

  #resume(reconnect: () => void, delayMs: number): (() => void) | undefined {
    if (!this.#isOversize) return this.#resumes.resume(reconnect, delayMs)
    // What was too large once would be sent again without end.
    this.#end = 'sent more than the limit in one event'
    void this.close()
    return undefined
  }

  #failed(error: Error): void {
    // A connection that brings such an answer is whole; to look what has become of the server would be one request more.
    if (error instanceof ServerBusyError) return
    this.onerror?.(error)
    if (!(error instanceof SseError)) return
    // The older transport would connect again by itself, to a session that knows nothing of ours.
    this.#end = 'broke off its event stream'
    void this.close()
  }
}
