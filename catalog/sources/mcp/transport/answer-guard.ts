import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../json.ts'
import { ABANDONED_IDS_MAX } from '../limits.ts'
import { mendDiscovery, mendHandshake } from './mend-handshake.ts'

export type RequestId = string | number

/** The code of the error that we put in the place of an answer that never came whole; outside JSON-RPC's own range. */
export const LOST_ANSWER_CODE = -31_900
export const OVERSIZE_ANSWER_CODE = -31_901
export const BAD_ANSWER_CODE = -31_902
const PUT_IN_PLACE: ReadonlySet<number> = new Set([LOST_ANSWER_CODE, OVERSIZE_ANSWER_CODE, BAD_ANSWER_CODE])

/** Where the untouched result of `tools/list` and `tools/call` travels past the SDK's schemas. */
const RAW_RESULT_KEY = 'drawbridge/raw'

/** Told of what goes out and of what the server has said of it. */
export interface RequestWatch {
  sent(id: RequestId): void
  /** In time or late. */
  answered(id: RequestId): void
  /** What it answered to `initialize`. */
  greeted?(result: Readonly<Record<string, unknown>>): void
}

export interface AnswerGuard {
  /** Notes what goes out. */
  sent(message: JSONRPCMessage): void
  /** Gives on what came in, or drops it. */
  received(message: JSONRPCMessage): void
  /** The caller no longer waits for it. */
  abandon(id: RequestId): void
  /** Answers a request, if it still waits, in the server's place. */
  fail(id: RequestId, code: number, reason: string): void
}

export interface AnswerGuardDeps {
  readonly deliver: (message: JSONRPCMessage) => void
  readonly reportStray: () => void
  /** Nobody waits for the answer any more: it came or it was given up. */
  readonly onSettled?: (id: RequestId, how: 'answered' | 'given-up') => void
  readonly watch?: RequestWatch
}

/**
 * Lets through only the first answer to a request that is waiting: stray and repeated answers, and answers after a
 * cancel, end here.
 *
 * Results of tools travel whole under `_meta`: the SDK's schemas refuse a whole list for one bad tool and a whole result
 * for one unknown content block, and what a tool did must not be lost over that.
 */
export function createAnswerGuard(deps: AnswerGuardDeps): AnswerGuard {
  return new FirstAnswers(deps)
}

class FirstAnswers implements AnswerGuard {
  readonly #deps: AnswerGuardDeps
  readonly #waiting = new Map<RequestId, string>()
  readonly #abandoned = new Set<RequestId>()
  /** Since the last answer: what is refused without an id may as well be that. */
  #hasNotified = false

  constructor(deps: AnswerGuardDeps) {
    this.#deps = deps
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message) {
      this.#waiting.set(message.id, message.method)
      this.#deps.watch?.sent(message.id)
      return
    }
    this.#hasNotified = true
    if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId']
      if (typeof id === 'string' || typeof id === 'number') this.abandon(id)
    }
  }

  received(message: JSONRPCMessage): void {
    if ('method' in message) {
      this.#deps.deliver(message)
      return
    }
    const id = message.id === undefined ? this.#onlyWaiting() : knownId(this.#waiting, message.id)
    const method = id === undefined ? undefined : this.#waiting.get(id)
    if (id === undefined || method === undefined) return this.#receivedLate(message.id)
    this.#waiting.delete(id)
    this.#hasNotified = false
    this.#deps.onSettled?.(id, 'answered')
    this.#deps.watch?.answered(id)
    if (method === 'initialize' && 'result' in message) this.#deps.watch?.greeted?.(message.result)
    this.#deps.deliver({ ...shieldResult(method, message), id })
  }

  abandon(id: RequestId): void {
    if (!this.#waiting.delete(id)) return
    this.#deps.onSettled?.(id, 'given-up')
    this.#abandoned.add(id)
    if (this.#abandoned.size <= ABANDONED_IDS_MAX) return
    const [oldest] = this.#abandoned
    if (oldest !== undefined) this.#abandoned.delete(oldest)
  }

  fail(failed: RequestId, code: number, reason: string): void {
    const id = knownId(this.#waiting, failed)
    if (id === undefined) return
    this.#waiting.delete(id)
    this.#deps.onSettled?.(id, 'given-up')
    if (code !== LOST_ANSWER_CODE) this.#deps.watch?.answered(id)
    this.#deps.deliver({ jsonrpc: '2.0', id, error: { code, message: reason } })
  }

  /** A refusal of what could not even be read has no id (JSON-RPC 2.0, 5.1): it can be about one request, or about several. */
  #onlyWaiting(): RequestId | undefined {
    const [only, ...others] = this.#waiting.keys()
    return this.#hasNotified || others.length > 0 ? undefined : only
  }

  #receivedLate(id: RequestId | undefined): void {
    const late = id === undefined ? undefined : knownId(this.#abandoned, id)
    if (late === undefined) return this.#deps.reportStray()
    this.#abandoned.delete(late)
    this.#deps.watch?.answered(late)
  }
}

/** Whether an error of this code is the server's own word. */
export function isSaidByServer(code: number): boolean {
  return !PUT_IN_PLACE.has(code)
}

/** The result as it came off the wire. */
export function rawResultOf(result: { readonly _meta?: Readonly<Record<string, unknown>> | undefined }): unknown {
  return result['_meta']?.[RAW_RESULT_KEY]
}

/** Some servers give a numeric id back as text. */
function knownId(known: Pick<ReadonlySet<RequestId>, 'has'>, id: RequestId): RequestId | undefined {
  if (known.has(id)) return id
  const numeric = Number(id)
  return typeof id === 'string' && known.has(numeric) ? numeric : undefined
}

function shieldResult<T extends JSONRPCMessage>(method: string, message: T): T {
  if (!('result' in message)) return message
  if (method === 'initialize' && isJsonObject(message.result)) {
    return { ...message, result: mendHandshake(message.result) }
  }
  if (method === 'server/discover' && isJsonObject(message.result)) {
    return { ...message, result: mendDiscovery(message.result) }
  }
  if (method !== 'tools/list' && method !== 'tools/call') return message
  const raw: Readonly<Record<string, unknown>> = message.result
  if (raw['resultType'] === 'input_required') return message
  const { nextCursor } = raw
  // Opaque to us, but only a text can be sent back; `null` is how many say that there is no more.
  const next = typeof nextCursor === 'number' ? String(nextCursor) : nextCursor
  const empty = method === 'tools/list' ? { tools: [] } : { content: [] }
  const cursor = typeof next === 'string' ? { nextCursor: next } : {}
  return { ...message, result: { ...mendedKind(raw), ...cursor, ...empty, _meta: { [RAW_RESULT_KEY]: raw } } }
}

/**
 * What the newest revision wants said of a result. One that is whole and does not say so is taken for whole: what a tool has
 * done must not be lost over that. For how long a list may be kept is no reason to have none.
 */
function mendedKind({ resultType, ttlMs, cacheScope, ...raw }: Readonly<Record<string, unknown>>): object {
  const { content, structuredContent, tools } = raw
  const isWhole = Array.isArray(content) || Array.isArray(tools) || structuredContent !== undefined
  const kind = resultType ?? (isWhole ? 'complete' : undefined)
  return {
    ...(kind !== undefined && { resultType: kind }),
    ...(tools !== undefined && {
      ttlMs: typeof ttlMs === 'number' && ttlMs >= 0 ? ttlMs : 0,
      cacheScope: cacheScope === 'public' ? cacheScope : 'private',
    }),
  }
}
