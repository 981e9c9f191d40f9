import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import { REFUSAL_MAX_BYTES, RETRY_AFTER_WAIT_MAX_SECONDS } from '../limits.ts'
import { errorIn, MISWRITTEN_CALL } from './refusal-body.ts'

/**
 * What the client library fetches with. It waits as long as a refusal says, even where a person would have left: then the
 * refusal goes to our client at once. And it finds an error only where OpenAI puts it, so that it is put there.
 */
export async function fetchUpstream(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  if (response.ok) return response
  const headers = new Headers(response.headers)
  if (!(waitSeconds(headers) <= RETRY_AFTER_WAIT_MAX_SECONDS)) headers.set('x-should-retry', 'false')
  // They are of the bytes as they came.
  for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  const text = await firstText(response)
  const error = errorIn(readJson(text))
  if (isJsonObject(error) && error['code'] === MISWRITTEN_CALL) headers.set('x-should-retry', 'true')
  const body = error === undefined ? text : JSON.stringify({ error })
  return new Response(body, { status: response.status, statusText: response.statusText, headers })
}

/** Not a number where the header holds a date, which is looked at by clocks that differ. */
function waitSeconds(headers: Headers): number {
  const ms = headers.get('retry-after-ms')
  return ms === null ? Number(headers.get('retry-after')) : Number(ms) / 1000
}

/** No more of it than an error has. */
async function firstText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.length > REFUSAL_MAX_BYTES) break
  }
  return text
}
