import { mendMessage } from '../mend-message.ts'

/** An event stream in which messages are mended, line by line as they come; all else passes byte for byte. */
export async function* mendedEvents(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  for await (const chunk of source) {
    const end = lineEnd(chunk)
    if (end === 0) {
      held.push(chunk)
      continue
    }
    yield mendLines(Buffer.concat([...held, chunk.subarray(0, end)]))
    held = end < chunk.length ? [chunk.subarray(end)] : []
  }
  // Half a line counts for nothing here; whoever reads the stream says what it is.
  if (held.length > 0) yield Buffer.concat(held)
}

/** Where the last line ends, with CR or LF; 0 where none does. */
function lineEnd(chunk: Uint8Array): number {
  return Math.max(chunk.lastIndexOf(10), chunk.lastIndexOf(13)) + 1
}

/** Nearly every message is as it should be, and is not even read. */
function mendLines(lines: Buffer): Uint8Array {
  if (!lines.includes('null') && !lines.includes('"error"') && lines.includes('"jsonrpc"')) return lines
  return Buffer.from(lines.toString().replaceAll(/^(data: ?)(\{.*\})(?=[ \t]*$)/gm, mendLine))
}

function mendLine(line: string, field: string, data: string): string {
  try {
    return `${field}${JSON.stringify(mendMessage(JSON.parse(data)))}`
  } catch {
    // One of several lines of an event, or no JSON: not ours to read.
    return line
  }
}
