import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { RpcAnswer, RpcId, RpcNotification, RpcRequest } from '../judging/rpc-message.ts'

/** How a client calls its request; on a pipe both are numbers of ours, since several clients may give the same. */
export interface Numbered {
  readonly id: RpcId
  readonly progressToken: JsonValue | undefined
}

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'

export function progressTokenOf({ params }: RpcRequest): JsonValue | undefined {
  const meta = params['_meta']
  return isJsonObject(meta) ? meta['progressToken'] : undefined
}

export function numbered(message: RpcRequest, id: number): JsonObject {
  const { whole, params } = message
  if (progressTokenOf(message) === undefined) return { ...whole, id }
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
  return { ...whole, id, params: { ...params, _meta: { ...meta, progressToken: id } } }
}

export function restoredAnswer({ whole }: RpcAnswer, { id }: Numbered): JsonObject {
  const { result } = whole
  const meta = isJsonObject(result) ? result['_meta'] : undefined
  if (!isJsonObject(result) || !isJsonObject(meta) || !(SUBSCRIPTION_KEY in meta)) return { ...whole, id }
  return { ...whole, id, result: { ...result, _meta: { ...meta, [SUBSCRIPTION_KEY]: id } } }
}

/** The request that a message belongs to by what it says itself, and the message as that request's client knows it. */
export function relationOf<T extends Numbered>(
  { whole, params, method }: RpcRequest | RpcNotification,
  byNumber: (number: number) => T | undefined,
): { readonly to: T; readonly whole: JsonObject } | undefined {
  const found = (number: JsonValue | undefined): T | undefined =>
    typeof number === 'number' ? byNumber(number) : undefined
  const ofProgress = method === 'notifications/progress' ? found(params['progressToken']) : undefined
  if (ofProgress !== undefined) {
    const { progressToken = ofProgress.id } = ofProgress
    return { to: ofProgress, whole: { ...whole, params: { ...params, progressToken } } }
  }
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
  const ofSubscription = found(meta[SUBSCRIPTION_KEY])
  if (ofSubscription === undefined) return undefined
  const restored = { ...meta, [SUBSCRIPTION_KEY]: ofSubscription.id }
  return { to: ofSubscription, whole: { ...whole, params: { ...params, _meta: restored } } }
}
