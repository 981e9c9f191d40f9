import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** The body without the compression that a server, or a proxy before it, put on it unasked. What it becomes is for the reader to bound. */
export function decodedBody(message: IncomingMessage): Readable {
  const decoder = decoderOf(message.headers['content-encoding'])
  if (decoder === undefined) return message
  pipeline(message, decoder, () => {
    // Both ends are destroyed with the fault, of which the reader of the decoder learns.
  })
  return decoder
}

function decoderOf(encoding = ''): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress()
    default:
      return undefined
  }
}
