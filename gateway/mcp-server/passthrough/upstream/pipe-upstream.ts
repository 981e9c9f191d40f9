import type { JsonObject } from '../../../../catalog/json.ts'
import type { EventWriter } from '../relaying/event-writer.ts'
import { openEventWriter } from '../relaying/event-writer.ts'
import { isStateless } from '../judging/check-request.ts'
import { PIPE_BACKLOG_MAX_BYTES, PIPE_HELD_MESSAGES_MAX } from '../limits.ts'
import type { RpcAnswer, RpcMessage, RpcNotification, RpcRequest } from '../judging/rpc-message.ts'
import { readRpcMessage } from '../judging/rpc-message.ts'
import type { Numbered } from './pipe-numbers.ts'
import { numbered, progressTokenOf, relationOf, restoredAnswer } from './pipe-numbers.ts'
import { refuseRequest, statusOf } from './pipe-status.ts'
import type { OpenPipe, Pipe } from './pipe.ts'
import type { Upstream, UpstreamRequest } from './upstream.ts'

export interface PipeUpstreamDeps {
  readonly open: OpenPipe
  /** The revision that the server is known to speak, where one is. */
  readonly knownVersion?: () => string | undefined
  /** `session`: one client's, from `initialize` on. `requests`: of several clients, who must not hear each other. */
  readonly use: 'session' | 'requests'
  /** Without a request under way for so long the pipe is closed, to be opened again by the next one; 0 for never. */
  readonly idleMs: number
}

/** Stands for a session id; the pipe is the session. */
const SESSION = 'pipe'

/** One channel of messages as exchanges: what belongs to a request comes on its stream, the rest on that of GET. */
export function createPipeUpstream(deps: PipeUpstreamDeps): Upstream {
  return new PipeUpstream(deps)
}

interface Waiting extends Numbered {
  readonly method: string
  readonly isStateless: boolean
  readonly writer: EventWriter
  /** As a stream at its first message, or as one body where that is the answer; what comes later counts no more. */
  readonly respond: (response: Response) => void
}

interface Listening {
  readonly writer: EventWriter
}

class PipeUpstream implements Upstream {
  readonly #deps: PipeUpstreamDeps
  readonly #waiting = new Map<number, Waiting>()
  #pipe: Promise<Pipe> | undefined
  #lastId = 0
  #listening: Listening | undefined
  #held: readonly JsonObject[] = []
  #idle: NodeJS.Timeout | undefined
  #hasBegun = false
  #hasEnded = false

  constructor(deps: PipeUpstreamDeps) {
    this.#deps = deps
  }

  async exchange({ method, headers, body }: UpstreamRequest, signal: AbortSignal): Promise<Response> {
    if (this.#hasEnded) return new Response(null, { status: 404 })
    if (method === 'GET') return this.#listen(signal)
    if (method === 'DELETE') {
      await this.close()
      return new Response(null, { status: 204 })
    }
    const message = readRpcMessage(body)
    if (message === undefined) return new Response(null, { status: 400 })
    const refused =
      this.#deps.use === 'requests' ? refuseRequest(message, headers, this.#deps.knownVersion?.()) : undefined
    if (refused !== undefined) return refused
    signal.throwIfAborted()
    const pipe = await this.#opened()
    if (message.kind === 'request') return this.#request(message, pipe, signal)
    const translated = this.#translated(message)
    if (translated !== undefined) await pipe.send(translated)
    return new Response(null, { status: 202 })
  }

  async close(): Promise<void> {
    this.#hasEnded = true
    const pipe = this.#pipe
    this.#closed()
    await pipe?.then(closeQuietly, () => {
      // It never came to stand.
    })
  }

  #opened(): Promise<Pipe> {
    if (this.#pipe !== undefined) return this.#pipe
    const opening = this.#deps.open({
      onMessage: (message) => this.#received(message),
      onClosed: () => {
        if (this.#pipe === opening) this.#closed()
      },
    })
    this.#pipe = opening
    opening.catch(() => {
      if (this.#pipe === opening) this.#closed()
    })
    return opening
  }

  /** All who wait learn of it. A session is over with its pipe; requests open another one. */
  #closed(): void {
    this.#pipe = undefined
    if (this.#deps.use === 'session') this.#hasEnded = true
    clearTimeout(this.#idle)
    for (const id of this.#waiting.keys()) this.#settle(id)
    this.#listening?.writer.end()
    this.#listening = undefined
  }

  async #request(message: RpcRequest, pipe: Pipe, signal: AbortSignal): Promise<Response> {
    const id = (this.#lastId += 1)
    const { promise, resolve: respond } = Promise.withResolvers<Response>()
    const writer = openEventWriter({ headers: {}, keepAliveMs: 0 })
    const { method, params } = message
    const progressToken = progressTokenOf(message)
    this.#waiting.set(id, { id: message.id, progressToken, method, isStateless: isStateless(params), writer, respond })
    clearTimeout(this.#idle)
    const cancel = (): void => this.#giveUp(id, pipe)
    signal.addEventListener('abort', cancel, { once: true })
    writer.gone.addEventListener('abort', cancel, { once: true })
    try {
      await pipe.send(numbered(message, id))
    } catch (error) {
      this.#settle(id)
      throw error
    }
    return promise
  }

  #giveUp(id: number, pipe: Pipe): void {
    if (!this.#waiting.has(id)) return
    this.#settle(id)
    const params = { requestId: id, reason: 'nobody waits for it any more' }
    pipe.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {
      // A server that is gone has nothing to cancel.
    })
  }

  #settle(id: number): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    // A stream that ends without an answer, where none had come.
    waiting?.respond(waiting.writer.response)
    waiting?.writer.end()
    // Its client left before it began, or was refused: nobody would ever end it.
    if (this.#deps.use === 'session' && !this.#hasBegun && this.#waiting.size === 0) void this.close()
    if (this.#waiting.size > 0 || this.#deps.idleMs === 0) return
    this.#idle = setTimeout(() => this.#rest(), this.#deps.idleMs)
    this.#idle.unref()
  }

  #rest(): void {
    const pipe = this.#pipe
    if (pipe === undefined || this.#waiting.size > 0) return
    this.#pipe = undefined
    void pipe.then(closeQuietly)
  }

  /** A client cancels by its own id of a request; one of a request that is over would be the number of another here. */
  #translated(message: RpcNotification | RpcAnswer): JsonObject | undefined {
    // About a message that its client could not read, and it does not say which: to a server on a pipe that is no message.
    if (message.kind === 'answer' && message.id === undefined) return undefined
    if (message.kind !== 'notification' || message.method !== 'notifications/cancelled') return message.whole
    const found = [...this.#waiting].find(([, { id }]) => id === message.params['requestId'])
    return found && { ...message.whole, params: { ...message.params, requestId: found[0] } }
  }

  #received(message: RpcMessage): void {
    if (message.kind === 'answer') {
      const waiting = typeof message.id === 'number' ? this.#waiting.get(message.id) : undefined
      if (typeof message.id !== 'number' || waiting === undefined) return
      const whole = restoredAnswer(message, waiting)
      waiting.respond(
        Response.json(whole, { status: statusOf(message, waiting), headers: this.#headersOf(message, waiting) }),
      )
      void waiting.writer.send(whole)
      this.#settle(message.id)
      return
    }
    const related = relationOf(message, (number) => this.#waiting.get(number))
    if (related !== undefined) this.#give(related.to, related.whole)
    // Progress of a request that is over would go by a number of ours, which may be that of another to its client.
    else if (this.#deps.use === 'session' && message.method !== 'notifications/progress') this.#tell(message)
  }

  /** The session begins with the answer to `initialize`, unless that is an error. */
  #headersOf({ whole }: RpcAnswer, { method }: Waiting): Readonly<Record<string, string>> {
    if (this.#deps.use !== 'session' || method !== 'initialize' || !('result' in whole)) return {}
    this.#hasBegun = true
    return { 'mcp-session-id': SESSION }
  }

  /**
   * In a session nothing says which request the server speaks of. What it asks goes to the request that began last, whose
   * client surely listens; what it tells goes to the session's stream, where there is one.
   */
  #tell(message: RpcRequest | RpcNotification): void {
    const last = [...this.#waiting.values()].at(-1)
    const isOfWork = message.kind === 'request' || message.method === 'notifications/message'
    const to = isOfWork ? (last ?? this.#listening) : (this.#listening ?? last)
    if (to !== undefined) {
      this.#give(to, message.whole)
      return
    }
    this.#held = [...this.#held, message.whole].slice(-PIPE_HELD_MESSAGES_MAX)
  }

  #give(to: Waiting | Listening, whole: JsonObject): void {
    const { writer } = to
    if ('respond' in to) to.respond(writer.response)
    // A pipe cannot be told to wait: a client that does not read loses its stream, not the gateway its memory.
    if (writer.backlog() > PIPE_BACKLOG_MAX_BYTES) writer.end()
    else void writer.send(whole)
  }

  /** The newest stream is the client's: one whose connection was lost unseen stands in the way of none. */
  #listen(signal: AbortSignal): Response {
    if (this.#deps.use === 'requests') return new Response(null, { status: 405 })
    this.#listening?.writer.end()
    const writer = openEventWriter({ headers: {}, keepAliveMs: 0 })
    const listening: Listening = { writer }
    this.#listening = listening
    const leave = (): void => {
      if (this.#listening === listening) this.#listening = undefined
      writer.end()
    }
    for (const left of [writer.gone, signal]) left.addEventListener('abort', leave, { once: true })
    for (const whole of this.#held) void writer.send(whole)
    this.#held = []
    return writer.response
  }
}

/** What cannot be closed in order is gone all the same; the process group is ended in any case. */
async function closeQuietly(pipe: Pipe): Promise<void> {
  await pipe.close().catch(() => undefined)
}
