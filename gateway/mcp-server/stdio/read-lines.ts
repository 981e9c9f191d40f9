import type { Readable } from 'node:stream'
import type { RequestId } from './bridge-message.ts'
import { answeredId, createLineReader } from '../../../catalog/sources/mcp/transport/stdio/line-reader.ts'

export interface ReadLinesOptions {
  readonly maxBytes: number
  /** Of every line that is not empty. */
  readonly onLine: (line: string) => void
  /** With the id of the request that it was, where that can be seen. */
  readonly onTooLong: (bytes: number, id: RequestId | undefined) => void
}

/**
 * Reads a client's lines until it closes its end, or breaks off. Scripts often end their input without a line feed (`printf`, a
 * here-string cut short): what stands there then is the last line, and never half a message that would be acted on,
 * since half of one is not JSON.
 */
export async function readLines(input: Readable, { maxBytes, onLine, onTooLong }: ReadLinesOptions): Promise<void> {
  const read = createLineReader({
    maxBytes,
    onLine: (line) => {
      if (line !== '') onLine(line)
    },
    onOversize: (line) => onTooLong(line.bytes, answeredId(line)),
    onEndless: (bytes) => onTooLong(bytes, undefined),
  })
  input.on('data', read)
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'error', 'close'] as const) input.once(event, () => resolve())
  })
  input.off('data', read)
  read(LINE_FEED)
}

const LINE_FEED = Buffer.from('\n')
