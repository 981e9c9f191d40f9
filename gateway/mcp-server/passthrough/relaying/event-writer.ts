import type { JsonObject } from '../../../../catalog/json.ts'

/** An event stream that a client reads. */
export interface EventWriter {
  readonly response: Response
  /** Waits for a slow reader; after the reader has gone it does nothing. */
  send(message: JsonObject, id?: string): Promise<void>
  end(): void
  /** Aborted when the reader has gone. */
  readonly gone: AbortSignal
  /** Bytes that the reader has not taken yet. */
  backlog(): number
}

export interface EventWriterOptions {
  readonly headers: Readonly<Record<string, string>>
  /** 0 for a stream that never leaves the process. */
  readonly keepAliveMs: number
}

const encoder = new TextEncoder()

export function openEventWriter({ headers, keepAliveMs }: EventWriterOptions): EventWriter {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const leaving = new AbortController()
  const beat = keepAliveMs === 0 ? undefined : setInterval(() => void sayAlive(), keepAliveMs)
  beat?.unref()
  const leave = (): void => {
    clearInterval(beat)
    leaving.abort(new Error('the client went away'))
  }
  writer.closed.catch(leave)
  let backlogBytes = 0
  async function write(text: string): Promise<void> {
    if (leaving.signal.aborted) return
    const bytes = encoder.encode(text)
    backlogBytes += bytes.length
    await writer.write(bytes).catch(leave)
    backlogBytes -= bytes.length
  }
  async function sayAlive(): Promise<void> {
    // A reader that is behind hears from us anyway.
    if ((writer.desiredSize ?? 0) > 0) await write(': alive\n\n')
  }
  return {
    response: new Response(readable, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        // Nginx would hold the stream back.
        'x-accel-buffering': 'no',
        ...headers,
      },
    }),
    send(message, id) {
      beat?.refresh()
      return write(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`)
    },
    end() {
      clearInterval(beat)
      writer.close().catch(leave)
    },
    gone: leaving.signal,
    backlog: () => backlogBytes,
  }
}
