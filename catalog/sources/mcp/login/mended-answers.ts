import type { FetchLike } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../../json.ts'
import { readJsonObject } from '../../../read-json.ts'
import { withoutNulls } from '../../../without-nulls.ts'

/**
 * The same `fetch`, with answers of authorization servers as the specifications have them, where they can be meant in one
 * way only: members that are `null` are not there, a token whose type is not said is the only one that we ask for, and
 * scopes in a list are one text. What a registration does not repeat was taken as it was sent (RFC 7591, 3.2.1).
 */
export function mendedAnswers(fetch: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok) return response
    const text = await response.text()
    const said = readJsonObject(text)
    const body = said === undefined ? text : JSON.stringify(mend(said, sentIn(init?.body)))
    return new Response(body === '' ? null : body, { status: response.status, headers: response.headers })
  }
}

function mend(said: JsonObject, sent: JsonObject | undefined): JsonObject {
  const { scope, ...rest } = withoutNulls(said)
  const isToken = typeof rest['access_token'] === 'string'
  const isRegistration = typeof rest['client_id'] === 'string' && sent?.['redirect_uris'] !== undefined
  return {
    ...(isRegistration && sent),
    ...(isToken && { token_type: 'Bearer' }),
    ...rest,
    ...(scope !== undefined && { scope: Array.isArray(scope) ? scope.join(' ') : scope }),
  }
}

function sentIn(body: RequestInit['body']): JsonObject | undefined {
  return typeof body === 'string' ? readJsonObject(body) : undefined
}
