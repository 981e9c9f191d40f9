import type { BridgeMessage, RequestId } from './bridge-message.ts'
import { modernHeaders, readBridgeMessage } from './bridge-message.ts'
import type { GatewayLink } from './gateway-link.ts'
import { GatewayGone } from './gateway-link.ts'
import { GatewaySession } from './gateway-session.ts'
import type { WriteMessage } from './write-answers.ts'
import { writeAnswers } from './write-answers.ts'

export interface StdioBridgeDeps {
  readonly link: GatewayLink
  readonly write: WriteMessage
  /** For people, beside the protocol. */
  readonly note: (text: string) => void
}

export interface StdioBridge {
  /** One line of the client. Answers come by `write`, in whatever order they are ready. */
  take(line: string): void
  /** For a line that cannot be taken: whoever sent it waits for an answer, where it was a request. */
  refuse(id: RequestId | undefined, reason: string): void
  /** Resolves when everything that was asked for is answered; streams that only listen are not waited for. */
  drained(): Promise<void>
  /** Ends what is under way, and the session. */
  close(): Promise<void>
}

/**
 * A client on stdio, served by the gateway's `/mcp`: each line goes there as a request of its own, and what comes back is
 * written out. For clients of older revisions it keeps the session that HTTP has and stdio has not; when the gateway is
 * gone or has forgotten that, it opens another one without the client's noticing.
 */
export function createStdioBridge(deps: StdioBridgeDeps): StdioBridge {
  return new Bridge(deps)
}

interface Posting {
  readonly line: string
  /** Of a message that has no session. */
  readonly modern: Readonly<Record<string, string>> | undefined
  /** Whose answer is waited for. */
  readonly awaits?: RequestId
}

class Bridge implements StdioBridge {
  readonly #deps: StdioBridgeDeps
  readonly #closing = new AbortController()
  readonly #underWay = new Map<RequestId, { readonly stop: AbortController; readonly isModern: boolean }>()
  /** Of a session: the gateway is told, and ends what waits for them. */
  readonly #cancelled = new Set<RequestId>()
  readonly #sending = new Set<Promise<void>>()
  readonly #asked = new Set<Promise<void>>()
  readonly #session: GatewaySession

  constructor(deps: StdioBridgeDeps) {
    this.#deps = deps
    this.#session = new GatewaySession({ ...deps, closing: this.#closing.signal })
  }

  take(line: string): void {
    const message = readBridgeMessage(line)
    if (message.kind === 'bad') {
      void this.#answer(null, PARSE_ERROR, message.reason)
      return
    }
    if (this.#isCancelled(message)) return
    const sending = this.#send(line, message).catch((error: unknown) => this.#failed(message, error))
    this.#sending.add(sending)
    const asked = message.kind === 'request' && message.method === LISTEN ? Promise.resolve() : sending
    this.#asked.add(asked)
    void sending.finally(() => {
      this.#sending.delete(sending)
      this.#asked.delete(asked)
    })
  }

  refuse(id: RequestId | undefined, reason: string): void {
    this.#deps.note(reason)
    void this.#answer(id ?? null, INVALID_REQUEST, reason)
  }

  async drained(): Promise<void> {
    await Promise.allSettled(this.#asked)
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the client has gone'))
    await Promise.allSettled(this.#sending)
    await this.#session.end()
  }

  async #send(line: string, message: BridgeMessage): Promise<void> {
    const modern = modernHeaders(message)
    if (message.kind !== 'request') {
      await this.#post({ line, modern }, this.#closing.signal)
      if (message.kind === 'notification' && message.method === 'notifications/initialized') this.#session.listen()
      return
    }
    const { id, method } = message
    // Before there is a session it asks for nothing but whether somebody is there.
    if (method === 'ping' && modern === undefined && (await this.#session.settled()) === undefined)
      return this.#answerPing(id)
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, this.#closing.signal])
    this.#underWay.set(id, { stop, isModern: modern !== undefined })
    try {
      if (method === 'initialize' && modern === undefined) await this.#initialize(line, id, signal)
      else await this.#post({ line, modern, awaits: id }, signal)
    } catch (error) {
      // Cancelled: by the protocol nobody waits for an answer any more.
      if (!signal.aborted && !this.#cancelled.has(id)) throw error
    } finally {
      this.#underWay.delete(id)
      this.#cancelled.delete(id)
    }
  }

  /** Sends one message and writes out whatever answers it. */
  async #post(posting: Posting, signal: AbortSignal): Promise<void> {
    const isAnswered = await writeAnswers(await this.#ask(posting, signal), this.#deps.write, posting.awaits)
    if (posting.awaits !== undefined && !isAnswered)
      throw new GatewayGone('the gateway broke off before it answered; whether the request took effect is not known', {
        mayHaveRun: true,
      })
  }

  /** Once more where nothing can have happened: no gateway was there, or it did not know the session. */
  async #ask({ line, modern }: Posting, signal: AbortSignal): Promise<Response> {
    const open = await this.#session.settled()
    const session = modern === undefined ? open : undefined
    const ask = (): Promise<Response> => {
      const headers = modern ?? this.#session.headers
      return this.#deps.link.ask({ method: 'POST', body: line, headers }, signal)
    }
    try {
      const response = await ask()
      if (response.status !== 404 || session === undefined) return response
      await response.body?.cancel()
    } catch (error) {
      if (signal.aborted || !(error instanceof GatewayGone) || error.mayHaveRun) throw error
    }
    if (session !== undefined) await this.#session.openAgain(session)
    return ask()
  }

  async #initialize(line: string, id: RequestId, signal: AbortSignal): Promise<void> {
    const answer = await this.#session.open(line, signal)
    await this.#deps.write(JSON.stringify({ ...answer, id }))
  }

  /** True where that was all: a request without a session is cancelled by letting go of it. */
  #isCancelled(message: BridgeMessage): boolean {
    if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return false
    const { requestId } = message.params
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return false
    const asked = this.#underWay.get(requestId)
    if (asked?.isModern === false) this.#cancelled.add(requestId)
    if (asked?.isModern !== true) return false
    asked.stop.abort(new Error('cancelled by the client'))
    return true
  }

  async #failed(message: BridgeMessage, error: unknown): Promise<void> {
    if (this.#closing.signal.aborted) return
    const reason = error instanceof Error ? error.message : String(error)
    this.#deps.note(reason)
    if (message.kind === 'request') await this.#answer(message.id, REFUSED, reason)
  }

  #answerPing(id: RequestId): Promise<void> {
    return this.#deps.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
  }

  #answer(id: RequestId | null, code: number, message: string): Promise<void> {
    return this.#deps.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
  }
}

/** Open for as long as the client wants to hear of changes. */
const LISTEN = 'subscriptions/listen'
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
/** Of the range that JSON-RPC leaves to servers. */
const REFUSED = -32_000
