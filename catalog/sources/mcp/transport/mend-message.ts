import { INTERNAL_ERROR } from '@modelcontextprotocol/client'
import type { JsonObject, JsonValue } from '../../../json.ts'
import { isEmptyList, isJsonObject } from '../../../json.ts'
import { wordsIn } from '../connection/refusal-words.ts'

/**
 * A message that is nearly one of the protocol, made one. Servers in languages that write every field have `null` where
 * there is nothing (`error` beside a result, `_meta`, `params`, `nextCursor`) or, in PHP, `[]`, older JSON-RPC libraries leave `jsonrpc` out
 * or give an error as a text. What could mean two things stays as it is, for the reader to refuse.
 */
export function mendMessage(value: unknown): unknown {
  if (!isJsonObject(value)) return value
  if ('result' in value || 'error' in value) return mendAnswer(value)
  return 'method' in value ? mendRequest(value) : value
}

function mendAnswer(answer: JsonObject): JsonObject {
  const { jsonrpc = '2.0', result = null, error = null } = answer
  if (result !== null && error !== null) return answer
  const head = { jsonrpc, ...('id' in answer && { id: answer['id'] ?? null }) }
  return error === null ? { ...head, result: mendResult(result) } : { ...head, error: mendError(error) }
}

/** No result is an empty one; which of these members are there and null says nothing. */
function mendResult(result: JsonValue): JsonValue {
  if (result === null || isEmptyList(result)) return {}
  if (!isJsonObject(result)) return result
  const { _meta: meta, nextCursor, ...rest } = result
  return {
    ...rest,
    ...(meta !== undefined && meta !== null && !isEmptyList(meta) && { _meta: meta }),
    ...(nextCursor !== undefined && nextCursor !== null && { nextCursor }),
  }
}

function mendError(error: JsonValue): JsonObject {
  if (!isJsonObject(error)) return { code: INTERNAL_ERROR, message: wordsOf(error) ?? UNTOLD }
  const { code, message, data } = error
  const number = typeof code === 'string' ? Number.parseInt(code, 10) : code
  return {
    code: typeof number === 'number' && Number.isSafeInteger(number) ? number : INTERNAL_ERROR,
    message: wordsOf(message) ?? wordsOf(data) ?? UNTOLD,
    ...(data !== undefined && { data }),
  }
}

function wordsOf(value: JsonValue | undefined): string | undefined {
  if (Array.isArray(value)) return wordsOf(value.filter((each) => typeof each === 'string').join('; '))
  if (isJsonObject(value)) return wordsIn(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

const UNTOLD = 'no reason was given'

function mendRequest(request: JsonObject): JsonObject {
  const { params, ...rest } = request
  if (params === undefined) return request
  if (!isJsonObject(params)) return params === null || isEmptyList(params) ? rest : request
  const { _meta: meta, ...others } = params
  return { ...rest, params: meta === null || isEmptyList(meta) ? others : params }
}
