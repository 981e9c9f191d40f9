export interface StreamEvent {
  /** Where a stream that was cut may be taken up again. */
  readonly id: string | undefined
  readonly retryMs: number | undefined
  readonly data: string
}

/**
 * The events of a server's stream (`text/event-stream` as the HTML standard reads it, without event names, which the
 * protocol does not use). An event that only carries an id has no data. How long one may be is bounded where the bytes
 * come from. Leaving the loop lets go of the body.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  let open: OpenEvent = NO_EVENT
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true })
    parts.push(text)
    // A line of 16 MB comes in a thousand pieces: it is put together once, not looked through for each of them.
    if (!/[\r\n]/.test(text) && parts.at(-2)?.endsWith('\r') !== true) continue
    const { lines, tail } = splitLines(parts.splice(0).join(''))
    parts.push(tail)
    for (const line of lines) {
      if (line !== '') open = takeLine(open, line)
      else if (open !== NO_EVENT) {
        yield { id: open.id, retryMs: open.retryMs, data: open.data.join('\n') }
        open = NO_EVENT
      }
    }
  }
}

interface OpenEvent {
  readonly id: string | undefined
  readonly retryMs: number | undefined
  readonly data: readonly string[]
}

const NO_EVENT: OpenEvent = { id: undefined, retryMs: undefined, data: [] }

/** Lines end with LF, CRLF or CR; a CR at the end may be half of a CRLF. */
function splitLines(text: string): { readonly lines: readonly string[]; readonly tail: string } {
  const lines = text.split(/\r\n|\n|\r(?=[^])/)
  const tail = lines.pop() ?? ''
  return { lines, tail }
}

function takeLine(event: OpenEvent, line: string): OpenEvent {
  const colon = line.indexOf(':')
  if (colon === 0) return event
  const field = colon === -1 ? line : line.slice(0, colon)
  const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
  if (field === 'data') return { ...event, data: [...event.data, value] }
  if (field === 'id' && !value.includes('\0')) return { ...event, id: value }
  if (field === 'retry' && /^\d{1,9}$/.test(value)) return { ...event, retryMs: Number(value) }
  return event
}
