import type { FetchLike } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../../json.ts'
import { readJsonObject } from '../../../read-json.ts'
import { withoutNulls } from '../../../without-nulls.ts'

/**
 * The same `fetch`, with answers of authorization servers as the specifications have them, where they can be meant in one
 * way only: members that are `null` are not there, a token whose type is not said is the only one that we ask for, and
 * scopes in a list are one text. What a registration does not repeat was taken as it was sent (RFC 7591, 3.2.1), and what a
 * token endpoint answers in the form that it was asked in is read too, its refusals among it.
 */
export function mendedAnswers(fetch: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, init)
    const isAsked = init?.body instanceof URLSearchParams
    if (!response.ok && !isAsked) return response
    const text = await response.text()
    const said = readJsonObject(text) ?? (isAsked ? readForm(text) : undefined)
    const mended = said !== undefined && (response.ok ? mend(said, sentIn(init?.body)) : said)
    const body = mended === false ? text : JSON.stringify(mended)
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

function readForm(text: string): JsonObject | undefined {
  const fields = /^(?:[\w.-]+=[^&\s]*(?:&|$))+$/.test(text) ? new URLSearchParams(text) : undefined
  const isAnswer = fields?.has('access_token') === true || fields?.has('error') === true
  return fields !== undefined && isAnswer ? Object.fromEntries(fields) : undefined
}

function sentIn(body: RequestInit['body']): JsonObject | undefined {
  return typeof body === 'string' ? readJsonObject(body) : undefined
}
