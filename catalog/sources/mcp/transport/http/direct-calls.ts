import type { FetchLike, JSONRPCMessage } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../../json.ts'
import { readJson } from '../../../../read-json.ts'
import type { Connected } from './direct-headers.ts'
import { directHeaders } from './direct-headers.ts'
import type { RequestId } from '../answer-guard.ts'
import { mendMessage } from '../mend-message.ts'
import { GatheredResponse } from './gathered-response.ts'

export interface DirectCalls {
  /** For the SDK's transport: gives it the answers that are here already, and sends all else. */
  readonly fetch: FetchLike
  /** Sends a plain call and reads its answer. */
  send(message: JSONRPCMessage, connected: Connected, signal: AbortSignal): Promise<DirectEnd>
  /** What the SDK's transport did not come for: its caller has gone. */
  forget(message: JSONRPCMessage): void
}

/** `unread`: it is for the SDK's transport to send it, or to read what came; `whole`: to read the body, after which nothing comes. */
export type DirectEnd = JSONRPCMessage | 'unread' | 'whole'

/**
 * Calls past the SDK's transport, which takes three times as long over one: same bytes, same `fetch`. An answer of any
 * kind but plain JSON (a stream, a refusal, a redirect) is kept for the SDK, which then reads it in the place of sending.
 */
export function createDirectCalls(url: URL, fetch: FetchLike): DirectCalls {
  const answered = new Map<string, Response>()
  const take = (body: unknown): Response | undefined => {
    const response = answered.size > 0 && typeof body === 'string' ? answered.get(body) : undefined
    if (typeof body === 'string') answered.delete(body)
    return response
  }
  return {
    fetch: async (input, init) => take(init?.body) ?? wholeOf(await fetch(input, init)),
    async send(message, connected, signal) {
      const headers = directHeaders(message, connected)
      if (headers === undefined) return 'unread'
      const body = JSON.stringify(message)
      const response = await fetch(url, { method: 'POST', headers, body, signal })
      const asked = 'id' in message ? message.id : undefined
      const answer = response instanceof GatheredResponse ? readAnswer(response.gathered, asked) : undefined
      if (answer !== undefined) return answer
      // The id in it makes it the only one of its kind.
      answered.set(body, wholeOf(response))
      // What asks something back has more to say.
      return response instanceof GatheredResponse && !response.gathered.includes('"method"') ? 'whole' : 'unread'
    },
    forget(message) {
      if (answered.size > 0) void take(JSON.stringify(message))?.body?.cancel()
    },
  }
}

function wholeOf(response: Response): Response {
  return response instanceof GatheredResponse ? response.whole() : response
}

/** One message that is an answer beyond doubt, or is one when it is mended; what else it may be is for the SDK to say. */
function readAnswer(text: string, asked: RequestId | undefined): JSONRPCMessage | undefined {
  const said = readJson(text)
  return plainAnswer(said) ?? plainAnswer(addressed(mendMessage(said), asked))
}

/** A refusal of what could not even be read has no id (JSON-RPC 2.0, 5.1); here it can be about one request alone. */
function addressed(said: unknown, asked: RequestId | undefined): unknown {
  const isRefusal = isJsonObject(said) && said['id'] === null && isJsonObject(said['error'])
  return isRefusal && asked !== undefined ? { ...said, id: asked } : said
}

function plainAnswer(said: unknown): JSONRPCMessage | undefined {
  if (!isJsonObject(said) || said['jsonrpc'] !== '2.0') return undefined
  const { id, result, error } = said
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  const kept = { jsonrpc: '2.0' as const, id: typeof id === 'string' ? id : Number(id) }
  if (Object.keys(said).length !== 3) return undefined
  if (isJsonObject(result)) return { ...kept, result: { ...result } }
  if (!isJsonObject(error)) return undefined
  const { code, message, data } = error
  if (typeof code !== 'number' || !Number.isSafeInteger(code) || typeof message !== 'string') return undefined
  return { ...kept, error: { code, message, ...(data !== undefined && { data }) } }
}
