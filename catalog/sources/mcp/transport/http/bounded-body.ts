import { McpConnectError } from '../../errors.ts'

export interface BodyBounds {
  readonly maxBytes: number
  /** An event stream may run for days: the limit is on each event, not on the whole. */
  readonly isStream: boolean
  /** Called for streams: how their end is seen does not tell why. */
  readonly onOversize: () => void
}

/** The body as a stream that fails at the limit, before the bytes are gathered. */
export function boundBody(source: AsyncIterable<Uint8Array>, bounds: BodyBounds): ReadableStream<Uint8Array> {
  return ReadableStream.from(count(source, bounds))
}

export function tooLarge(maxBytes: number): McpConnectError {
  return new McpConnectError('message-too-large', `the answer has more than ${maxBytes} bytes`)
}

async function* count(source: AsyncIterable<Uint8Array>, bounds: BodyBounds): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let edge = Buffer.alloc(0)
  for await (const chunk of source) {
    bytes += chunk.length
    if (bounds.isStream) {
      const joined = Buffer.concat([edge, chunk])
      const end = lastEventEnd(joined)
      if (end !== undefined) bytes = joined.length - end
      edge = Buffer.from(joined.subarray(-3))
    }
    if (bytes > bounds.maxBytes) {
      if (bounds.isStream) bounds.onOversize()
      throw tooLarge(bounds.maxBytes)
    }
    yield chunk
  }
}

/** Where the last blank line ends. */
function lastEventEnd(bytes: Buffer): number | undefined {
  const ends = ['\n\n', '\r\r', '\r\n\r\n'].map((blank) => {
    const at = bytes.lastIndexOf(blank)
    return at === -1 ? 0 : at + blank.length
  })
  const end = Math.max(...ends)
  return end === 0 ? undefined : end
}
