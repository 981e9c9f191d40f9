import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { ConnectingClient } from './guarded-connections.ts'
import type { GatheredAnswer, HttpAnswer, HttpHead } from './http-answer.ts'
import { textOf } from './text-of.ts'

export interface AskOptions {
  readonly signal: AbortSignal | undefined
  /** What the answer to a signal's abort is. */
  readonly abortError: (signal: AbortSignal) => Error
  /** Whether an answer of this head is given whole, and not as a stream. */
  readonly isGathered: (head: HttpHead) => boolean
  readonly maxGatheredBytes: number
  /** Why more than that is refused. */
  readonly tooLarge: () => Error
}

/**
 * Sends a request; resolves with the answer's head and body. Nearly all answers of servers are one message that comes in one
 * piece: to put it into a stream and to take it out again is a tenth of what a call costs here.
 */
export function askServer(
  client: ConnectingClient,
  request: Dispatcher.DispatchOptions,
  options: AskOptions,
): Promise<HttpAnswer | GatheredAnswer> {
  const exchange = new Exchange(options)
  exchange.connecting = client.dispatch(request, exchange)
  return exchange.answer
}

type ResponseStart = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>

class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpAnswer | GatheredAnswer>
  /** Begun for this one. */
  connecting: Socket | undefined
  readonly #options: AskOptions
  readonly #resolve: (answer: HttpAnswer | GatheredAnswer) => void
  readonly #reject: (error: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #head: HttpHead | undefined
  /** Of what is not gathered. */
  #body: Readable | undefined
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(options: AskOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer | GatheredAnswer>()
    this.answer = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#options = options
    options.signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    const { signal, abortError } = this.#options
    // While it waited for a connection.
    if (signal?.aborted === true) controller.abort(abortError(signal))
  }

  onResponseStart(...[controller, statusCode, headers, statusText = '']: ResponseStart): void {
    // It only says that more is to come.
    if (statusCode < 200) return
    const head = { statusCode, statusText, headers }
    this.#head = head
    if (this.#options.isGathered(head)) return
    const body = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        // One that nobody reads on ends with its connection; of one that was read to its end there is nothing to end.
        controller.abort(error ?? new Error('the rest of the answer is not read'))
        done(error)
      },
    })
    // Whoever reads it hears of its fault as well; one that nobody reads is nobody's concern.
    body.on('error', () => {})
    this.#body = body
    this.#resolve({ ...head, body })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body !== undefined) {
      if (!this.#body.push(chunk)) controller.pause()
      return
    }
    this.#bytes += chunk.length
    this.#chunks.push(chunk)
    if (this.#bytes > this.#options.maxGatheredBytes) controller.abort(this.#options.tooLarge())
  }

  onResponseEnd(): void {
    this.#settled()
    if (this.#body !== undefined) this.#body.push(null)
    else if (this.#head !== undefined) this.#resolve({ ...this.#head, text: textOf(this.#chunks, this.#head) })
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#settled()
    if (this.#body === undefined) this.#reject(error)
    else this.#body.destroy(error)
  }

  readonly #onAbort = (): void => {
    const { signal, abortError } = this.#options
    if (signal === undefined) return
    const error = abortError(signal)
    this.#reject(error)
    if (this.#controller === undefined) this.connecting?.destroy(error)
    else this.#controller.abort(error)
  }

  #settled(): void {
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
  }
}
