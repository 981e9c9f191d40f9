import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { EventWriter } from './event-writer.ts'
import { openEventWriter } from './event-writer.ts'
import { mayTell } from '../judging/filter-result.ts'
import { PASSED_HEADER_MAX_LENGTH, PASSED_KEEP_ALIVE_MS, PASSED_STREAM_CLOSE_MS } from '../limits.ts'
import type { Passing } from './passing.ts'
import { faultResponse } from './passing.ts'
import { retellChanges } from './retell-changes.ts'
import { readRpcMessage } from '../judging/rpc-message.ts'
import { exchange, faultOfStatus, isEventStream } from '../upstream/ask.ts'
import { readEvents } from '../upstream/read-events.ts'
import { readJson } from '../../../../catalog/read-json.ts'

const REFUSED = -32_000

/**
 * The stream of a session on which a server tells and asks what belongs to no request (GET). Its ids are passed on, so
 * that a client can take it up again; answers are not: they belong to requests, which have their own way.
 */
export async function relayStream(incoming: IncomingHttpHeaders, passing: Passing): Promise<Response> {
  const { session } = passing
  const leaving = new AbortController()
  const signal = AbortSignal.any([passing.signal, leaving.signal])
  // Without a session nothing says that the stream which is taken up again was this client's.
  const headers = { ...passing.headers, ...(session && lastEventId(incoming)) }
  const response = await open(headers, passing, signal)
  if (!isEventStream(response) || response.body === null) {
    await response.body?.cancel()
    const fault = faultOfStatus(response)
    if (fault !== undefined) throw fault
    // To a client that keeps no session every other status is an error, and some then ask again for ever.
    const status = response.ok || session === undefined ? 405 : response.status
    return faultResponse(status, { code: REFUSED, message: `the server has no such stream (HTTP ${response.status})` })
  }
  const writer = openEventWriter({ headers: {}, keepAliveMs: PASSED_KEEP_ALIVE_MS })
  writer.gone.addEventListener('abort', () => leaving.abort(writer.gone.reason), { once: true })
  session?.streams.add(leaving)
  const retelling = retellChanges(passing, (whole) => writer.send(whole))
  const send: EventWriter['send'] = (whole, id) => {
    retelling.note(whole)
    return writer.send(whole, id)
  }
  void pass(response.body, passing, send).finally(() => {
    retelling.end()
    session?.streams.delete(leaving)
    writer.end()
  })
  return writer.response
}

/**
 * Many servers have one stream for a session. Where the client asks again, its connection has often been lost unseen: what it had is
 * closed for it, since nobody reads it.
 */
async function open(
  headers: Passing['headers'],
  { upstream, session }: Passing,
  signal: AbortSignal,
): Promise<Response> {
  const ask = (): Promise<Response> => exchange(() => upstream.exchange({ method: 'GET', headers }, signal), signal)
  const response = await ask()
  const earlier = [...(session?.streams ?? [])]
  if (response.status !== 409 || earlier.length === 0) return response
  await response.body?.cancel()
  for (const stream of earlier) stream.abort(new Error('the client has opened another stream'))
  await pause(PASSED_STREAM_CLOSE_MS, undefined, { signal })
  return ask()
}

async function pass(body: ReadableStream<Uint8Array>, { gate }: Passing, send: EventWriter['send']): Promise<void> {
  try {
    for await (const { id, data } of readEvents(body)) {
      const message = readRpcMessage(readJson(data))
      if (message === undefined || !mayTell(message, gate)) continue
      await send(message.whole, id)
    }
  } catch {
    // Either side has left: the end of the stream says so.
  }
}

function lastEventId(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const id = headers['last-event-id']
  return typeof id === 'string' && id.length <= PASSED_HEADER_MAX_LENGTH ? { 'last-event-id': id } : {}
}
