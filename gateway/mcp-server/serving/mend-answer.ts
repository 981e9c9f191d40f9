import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { withoutNullsOf } from './without-nulls-of.ts'

/**
 * A client's answer to what it was asked, as many libraries of JSON-RPC write it: `null` beside the one of `result` and `error`
 * that it is, `null` for a result without members or its `_meta`, an error that is a text or leaves out its code. Refused, it would
 * leave the call that asks waiting for as long as a person may.
 */
export function mendAnswer(message: JsonObject): JsonObject {
  const { result, error, ...rest } = message
  if (isJsonObject(error)) return isJsonObject(result) ? message : { ...rest, error: mendError(error) }
  if (typeof error === 'string') return { ...rest, error: { code: ProtocolErrorCode.InternalError, message: error } }
  if ((error ?? null) !== null || result === undefined) return message
  if (result === null) return { ...rest, result: {} }
  if (!isJsonObject(result)) return message
  return { ...rest, result: withoutNullsOf(result, ['_meta']) }
}

function mendError(error: JsonObject): JsonObject {
  const { code, message } = error
  return {
    ...error,
    code: isCode(code) ? code : ProtocolErrorCode.InternalError,
    message: typeof message === 'string' ? message : 'the client did not say why',
  }
}

function isCode(code: JsonValue | undefined): code is number {
  return typeof code === 'number' && Number.isSafeInteger(code)
}
