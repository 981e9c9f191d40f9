import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { HttpAnswer } from './http-answer.ts'
import { headerOf } from './http-answer.ts'

/** The body without the compression that a server, or a proxy before it, put on it unasked. What it becomes is for the reader to bound. */
export function decodedBody(answer: HttpAnswer): Readable {
  const decoder = decoderOf(headerOf(answer, 'content-encoding'))
  if (decoder === undefined) return answer.body
  pipeline(answer.body, decoder, () => {
    // Both ends are destroyed with the fault, of which the reader of the decoder learns.
  })
  return decoder
}

function decoderOf(encoding: string): Transform | undefined {
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
