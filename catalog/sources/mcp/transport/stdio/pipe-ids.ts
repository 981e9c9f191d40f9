import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../../json.ts'
import { PIPE_FIRST_ID, PLAIN_CALL_FIRST_ID } from '../../limits.ts'
import type { RequestId } from '../answer-guard.ts'

/** What a message is to us that came over the pipe. */
export type Arrived =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  /** Our own request, come back. */
  | { readonly kind: 'echo' }
  /** An answer to nothing that we ever asked: our own answer, come back, or the server's mistake. */
  | { readonly kind: 'stray' }

/**
 * Ids of our requests as a pipe has them. Both sides count their requests from 0, and some servers print what they are sent:
 * our answer to a question of theirs would be taken for their answer to a request of ours, and our own request for a
 * question, whose refusal comes back as that request's answer. So ours have ids that no server gives its questions.
 */
export class PipeIds {
  #last = PIPE_FIRST_ID - 1
  #lastCall = PLAIN_CALL_FIRST_ID
  /** Of subscriptions, a few in a session. */
  readonly #texts = new Set<string>()

  /** As it goes out. */
  sent(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message)) return message
    if ('id' in message) return { ...message, id: this.#send(message.id) }
    const { params } = message
    const cancelled = params?.['requestId']
    if (message.method !== 'notifications/cancelled' || typeof cancelled !== 'number') return message
    return { ...message, params: { ...params, requestId: onPipe(cancelled) } }
  }

  received(message: JSONRPCMessage): Arrived {
    if ('method' in message) {
      const isEcho = 'id' in message && !ASKED_BY_SERVERS.has(message.method) && this.own(message.id) !== undefined
      return isEcho ? { kind: 'echo' } : { kind: 'message', message: this.#ofSubscription(message) }
    }
    // A refusal of what could not be read has none.
    if (message.id === undefined) return { kind: 'message', message }
    const id = this.own(message.id)
    if (id === undefined) return { kind: 'stray' }
    if ('error' in message) return { kind: 'message', message: { ...message, id } }
    return { kind: 'message', message: { ...message, id, result: this.#withOwnId(message.result) } }
  }

  /** The id of our request as it was before it went out; undefined where none of ours has this one. Some servers give a number back as text. */
  own(id: RequestId): RequestId | undefined {
    if (typeof id === 'string' && this.#texts.has(id)) return id
    const number = Number(id)
    if (number > PLAIN_CALL_FIRST_ID && number <= this.#lastCall) return number
    return number >= PIPE_FIRST_ID && number <= this.#last ? number - PIPE_FIRST_ID : undefined
  }

  #ofSubscription(message: Extract<JSONRPCMessage, { method: string }>): JSONRPCMessage {
    const { params } = message
    const restored = params && this.#withOwnId(params)
    return restored === params ? message : { ...message, params: restored }
  }

  /** Messages of a subscription name it by the id of the request that it was opened by. */
  #withOwnId<Part extends object>(part: Part & { readonly _meta?: unknown }): Part {
    const { _meta: meta } = part
    const id = isJsonObject(meta) ? meta[SUBSCRIPTION_KEY] : undefined
    const own = typeof id === 'number' ? this.own(id) : undefined
    return isJsonObject(meta) && own !== undefined ? { ...part, _meta: { ...meta, [SUBSCRIPTION_KEY]: own } } : part
  }

  #send(id: RequestId): RequestId {
    if (typeof id === 'string') {
      this.#texts.add(id)
      return id
    }
    const sent = onPipe(id)
    if (sent > PLAIN_CALL_FIRST_ID) this.#lastCall = Math.max(this.#lastCall, sent)
    else this.#last = Math.max(this.#last, sent)
    return sent
  }
}

/** Calls have ids of their own already. */
function onPipe(id: number): number {
  return id < PLAIN_CALL_FIRST_ID ? id + PIPE_FIRST_ID : id
}

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'

/** What we never ask, whatever its id is. */
const ASKED_BY_SERVERS = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list'])
