import { STEP_OUTPUT_MAX_LENGTH } from '../limits.ts'

export interface ServerEvent {
  /** `message` unless the server named it. */
  readonly name: string
  readonly data: string
}

/**
 * Server-sent events out of a body's bytes. The reader stays with the caller, who can still drain it: breaking off would
 * cost the connection. An event that the end of the body cuts off before its blank line still counts, since several
 * servers end so. Lines end with LF or CRLF; no server in use ends them with CR alone.
 * @throws {RangeError} when one event is longer than a whole step may be
 */
export async function* readEvents(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  let event = noEvent
  for (let isEnd = false; !isEnd;) {
    const { done, value } = await reader.read()
    isEnd = done
    rest += done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      event = takeLine(event, line.endsWith('\r') ? line.slice(0, -1) : line)
      if (!event.isWhole) continue
      yield { name: event.name, data: event.lines.join('\n') }
      event = noEvent
    }
    if (rest.length > STEP_OUTPUT_MAX_LENGTH) throw new RangeError('the event is too long')
  }
}

interface OpenEvent {
  readonly name: string
  readonly lines: readonly string[]
  readonly isWhole: boolean
}

const noEvent: OpenEvent = { name: 'message', lines: [], isWhole: false }

function takeLine(event: OpenEvent, line: string): OpenEvent {
  if (line === '') return event.lines.length === 0 ? noEvent : { ...event, isWhole: true }
  const colon = line.indexOf(':')
  const field = colon === -1 ? line : line.slice(0, colon)
  const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
  if (field === 'data') return { ...event, lines: [...event.lines, value] }
  return field === 'event' ? { ...event, name: value } : event
}
