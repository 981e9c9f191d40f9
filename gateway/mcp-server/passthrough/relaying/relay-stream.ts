import type { IncomingHttpHeaders } from 'node:http'
import type { EventWriter } from './event-writer.ts'
import { openEventWriter } from './event-writer.ts'
import { mayTell } from '../judging/filter-result.ts'
import { PASSED_HEADER_MAX_LENGTH, PASSED_KEEP_ALIVE_MS } from '../limits.ts'
import type { Passing } from './passing.ts'
import { faultResponse } from './passing.ts'
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
  const leaving = new AbortController()
  const signal = AbortSignal.any([passing.signal, leaving.signal])
  // Without a session nothing says that the stream which is taken up again was this client's.
  const headers = { ...passing.headers, ...(passing.session && lastEventId(incoming)) }
  const response = await exchange(() => passing.upstream.exchange({ method: 'GET', headers }, signal), signal)
  if (!isEventStream(response) || response.body === null) {
    await response.body?.cancel()
    const fault = faultOfStatus(response.status)
    if (fault !== undefined) throw fault
    // To a client that keeps no session every other status is an error, and some then ask again for ever.
    const status = response.ok || passing.session === undefined ? 405 : response.status
    return faultResponse(status, { code: REFUSED, message: `the server has no such stream (HTTP ${response.status})` })
  }
  const writer = openEventWriter({ headers: {}, keepAliveMs: PASSED_KEEP_ALIVE_MS })
  writer.gone.addEventListener('abort', () => leaving.abort(writer.gone.reason), { once: true })
  void pass(response.body, passing, (whole, id) => writer.send(whole, id)).finally(() => writer.end())
  return writer.response
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
