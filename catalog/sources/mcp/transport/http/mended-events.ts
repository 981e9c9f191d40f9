import { mendMessage } from '../mend-message.ts'
import { isJson } from '../../../../read-json.ts'

/** An event stream in which messages are mended, line by line as they come; all else passes byte for byte. */
export async function* mendedEvents(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let open: Uint8Array = NOTHING
  for await (const chunk of source) {
    const end = lineEnd(chunk)
    if (end === 0) {
      held.push(chunk)
      continue
    }
    const lines = mendLines(Buffer.concat([...held, chunk.subarray(0, end)]))
    // Streams stay open for days: what is whole is not kept.
    open = /\n\r?\n$/.test(lines.subarray(-3).toString('latin1')) ? NOTHING : lines
    yield lines
    held = end < chunk.length ? [chunk.subarray(end)] : []
  }
  const rest = mendLines(Buffer.concat(held))
  yield Buffer.concat([rest, Buffer.from(missingEnd(Buffer.concat([open, rest]).toString()))])
}

const NOTHING = new Uint8Array()

/**
 * What a stream that has ended in order lacks of its last event: the blank line, where that event is a whole message all the
 * same, or what tells a CR from a CR LF. Half a message stays half.
 */
function missingEnd(tail: string): string {
  const lines = tail.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '' && (lines.at(-2) ?? '') === '') return tail.endsWith('\r') ? '\n' : ''
  const [, data = ''] = /^data: ?(\{.*\})[ \t]*$/.exec(lines.findLast((line) => line !== '') ?? '') ?? []
  return isJson(data) ? '\n\n' : ''
}

/** Where the last line ends, with CR or LF; 0 where none does. */
function lineEnd(chunk: Uint8Array): number {
  return Math.max(chunk.lastIndexOf(10), chunk.lastIndexOf(13)) + 1
}

/** Nearly every message is as it should be, and is not even read. */
function mendLines(lines: Buffer): Buffer {
  const isRight = !lines.includes('null') && !lines.includes('"error"') && lines.includes('"jsonrpc"')
  if (isRight && !lines.includes('data: [') && !lines.includes('data:[')) return lines
  return Buffer.from(lines.toString().replaceAll(/^(data: ?)(\{.*\}|\[.*\])(?=[ \t]*$)/gm, mendLine))
}

function mendLine(line: string, field: string, data: string): string {
  try {
    const said: unknown = JSON.parse(data)
    // Of revision 2025-03-26: several messages in one event, of which the SDK reads none.
    const messages: readonly unknown[] = Array.isArray(said) && said.length > 0 ? said : [said]
    return messages.map((message) => `${field}${JSON.stringify(mendMessage(message))}`).join('\n\n')
  } catch {
    // One of several lines of an event, or no JSON: not ours to read.
    return line
  }
}
