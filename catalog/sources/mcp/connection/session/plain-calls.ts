import type { CallToolResult, Client, JSONRPCMessage, Progress, Transport } from '@modelcontextprotocol/client'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client'
import type { JsonObject } from '../../../../json.ts'
import { isJsonObject } from '../../../../json.ts'
import { PLAIN_CALL_FIRST_ID } from '../../limits.ts'
import type { CallInput } from '../questions/server-questions.ts'

export interface PlainCall {
  readonly name: string
  readonly args: JsonObject
  readonly input: CallInput
  readonly onProgress: (step: Progress) => void
}

/** Calls past the SDK's client, which stays the judge of all else that comes over the same transport. */
export interface PlainCalls {
  /** As the SDK's client sends it, and ends as there: with the result, or rejecting with its errors. */
  send(call: PlainCall, signal: AbortSignal): Promise<CallToolResult>
}

export interface PlainCallsDeps {
  /** Connected. */
  readonly client: Client
  readonly transport: Transport
  /** What the client says of itself. */
  readonly clientInfo: { readonly name: string; readonly version: string }
  readonly capabilities: object
}

interface Waiting {
  /** How far it said last that it is. */
  reached: number
  readonly onProgress: (step: Progress) => void
  readonly resolve: (result: CallToolResult) => void
  readonly reject: (error: unknown) => void
}

/**
 * For a call and its answer the SDK's client checks each message three times, makes schemas of errors that nobody reads, and
 * sets a timer: a fifth of what a call costs here. Of a plain call, its progress and its end no more is to be known than
 * its id. A test holds both ways against each other.
 */
export function createPlainCalls({ client, transport, clientInfo, capabilities }: PlainCallsDeps): PlainCalls {
  const isModern = client.getProtocolEra() === 'modern'
  const envelope = isModern && {
    [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion(),
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  }
  const waiting = new Map<number, Waiting>()
  let lastId = PLAIN_CALL_FIRST_ID
  listen(transport, waiting, isModern)
  const cancel = (id: number, reason: unknown): void => {
    const params = { requestId: id, reason: String(reason), ...(envelope && { _meta: { ...envelope } }) }
    transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch((error: unknown) => {
      client.onerror?.(new Error(`Failed to send cancellation: ${String(error)}`))
    })
  }
  return {
    async send({ name, args, input, onProgress }, signal) {
      if (signal.aborted) throw asSdkError(signal.reason)
      lastId += 1
      const id = lastId
      // Its stream is closed with it: so a server of that revision hears that nobody waits any more.
      const hasStream = isModern && transport.hasPerRequestStream === true
      const { promise, resolve, reject } = Promise.withResolvers<CallToolResult>()
      const onAbort = (): void => {
        if (!waiting.delete(id)) return
        if (!hasStream) cancel(id, signal.reason)
        reject(asSdkError(signal.reason))
      }
      waiting.set(id, { reached: 0, onProgress, resolve, reject })
      signal.addEventListener('abort', onAbort, { once: true })
      const params = { name, arguments: { ...args }, ...input, _meta: { ...envelope, progressToken: id } }
      const options = hasStream ? { requestSignal: signal } : {}
      transport.send({ method: 'tools/call', params, jsonrpc: '2.0', id }, options).catch(reject)
      try {
        return await promise
      } finally {
        waiting.delete(id)
        signal.removeEventListener('abort', onAbort)
      }
    },
  }
}

/** Comes before the SDK's client, which is given whatever is not ours. */
function listen(transport: Transport, waiting: Map<number, Waiting>, isModern: boolean): void {
  const { onmessage: toSdk, onclose: closeSdk } = transport
  const own: Pick<Transport, 'onmessage' | 'onclose'> = {
    onmessage(message, extra) {
      if (!take(message, waiting, isModern)) toSdk?.(message, extra)
    },
    onclose() {
      const lost = [...waiting.values()]
      waiting.clear()
      try {
        closeSdk?.()
      } finally {
        for (const { reject } of lost) reject(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'))
      }
    },
  }
  Object.assign(transport, own)
}

function take(message: JSONRPCMessage, waiting: Map<number, Waiting>, isModern: boolean): boolean {
  if ('method' in message) return takeStep(message, waiting)
  const id = Number(message.id)
  const call = waiting.get(id)
  if (call === undefined) return false
  waiting.delete(id)
  if ('result' in message) settle(message.result, call, isModern)
  else call.reject(ProtocolError.fromError(message.error.code, message.error.message, message.error.data))
  return true
}

function takeStep(
  message: Extract<JSONRPCMessage, { method: string }>,
  waiting: ReadonlyMap<number, Waiting>,
): boolean {
  const { params = {} } = message
  if (message.method !== 'notifications/progress' || 'id' in message) return false
  const call = waiting.get(Number(params['progressToken']))
  // What is wrong with any other is the SDK's to say.
  if (call === undefined) return false
  const { progress, total, message: text } = params
  // However it is said: the server is at work, and the call must not end for its silence.
  call.reached = numberIn(progress) ?? call.reached
  const whole = numberIn(total)
  const said = typeof text === 'string' ? { message: text } : {}
  call.onProgress({ progress: call.reached, ...(whole !== undefined && { total: whole }), ...said })
  return true
}

/** Many write `null` for what there is not, some a number as a text. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Of revision 2026-07-28 a result says of what type it is; before that it says nothing that counts. */
function settle(result: Readonly<Record<string, unknown>>, { resolve, reject }: Waiting, isModern: boolean): void {
  const { resultType, inputRequests, requestState } = result
  if (!isModern || resultType === 'complete') {
    const { resultType: _type, content, ...rest } = result
    // Empty, with the untouched one under `_meta`; absent of what the guard did not take for a result.
    if (Array.isArray(content)) resolve({ ...rest, content })
    else reject(badResult('no content'))
  } else if (resultType === 'input_required') {
    const requests = isJsonObject(inputRequests) ? inputRequests : {}
    const hasState = typeof requestState === 'string'
    const asked = { resultType, inputRequests: requests, ...(hasState && { requestState }) }
    // Whoever reads it looks at its type first.
    if (hasState || Object.keys(requests).length > 0) resolve({ ...asked, content: [] })
    else reject(badResult('input_required carries neither inputRequests nor requestState'))
  } else if (typeof resultType === 'string') {
    reject(new SdkError(SdkErrorCode.UnsupportedResultType, `Unsupported result type '${resultType}' for tools/call`))
  } else reject(badResult(resultType === undefined ? 'missing required resultType' : 'non-string resultType'))
}

function badResult(why: string): SdkError {
  return new SdkError(SdkErrorCode.InvalidResult, `Invalid result for tools/call: ${why}`)
}

function asSdkError(reason: unknown): SdkError {
  return reason instanceof SdkError ? reason : new SdkError(SdkErrorCode.RequestTimeout, String(reason))
}
