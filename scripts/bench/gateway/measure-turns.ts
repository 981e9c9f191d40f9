import type { Measured } from '../paired/measure-each.ts'
import { measureEach } from '../paired/measure-each.ts'

/** Where turns go: the provider itself, or the gateway in front of it. */
export interface TurnTarget {
  /** Of the OpenAI form, with `/v1`. */
  readonly baseUrl: string
  readonly token: string
  readonly model: string
}

const BODY = { stream: true, messages: [{ role: 'user', content: 'Say something short.' }] }

/** Runs streamed turns, so many at a time, each read to its last byte. */
export function measureTurns(target: TurnTarget, turns: number, inFlight: number): Promise<Measured> {
  return measureEach(turns, inFlight, () => runTurn(target))
}

/** @throws {Error} when the turn does not end as it should: a figure of failures would be a flattering one */
async function runTurn({ baseUrl, token, model }: TurnTarget): Promise<number> {
  const startMs = performance.now()
  const answer = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ model, ...BODY }),
  })
  const text = await answer.text()
  const latencyMs = performance.now() - startMs
  if (answer.ok && text.trimEnd().endsWith('data: [DONE]') && text.includes('"finish_reason":"stop"')) return latencyMs
  throw new Error(`a turn at ${baseUrl} ended with ${answer.status}: ${text.slice(0, 500)}`)
}
