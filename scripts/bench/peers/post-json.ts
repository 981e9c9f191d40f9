/** A run with twenty calls of a peer takes up to some seconds on a busy machine. */
const ANSWER_BUDGET_MS = 60_000
const SHOWN_LENGTH = 400

/**
 * Every engine is asked by the same client with kept-alive connections.
 * @throws {Error} with the start of the answer, when it is not a success or not an object
 */
export async function postJson(url: string, token: string, body: object): Promise<object> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_BUDGET_MS),
  })
  const text = await response.text()
  const failure = (): Error => new Error(`${url} answered ${response.status}: ${text.slice(0, SHOWN_LENGTH)}`)
  if (!response.ok) throw failure()
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw failure()
  return value
}
