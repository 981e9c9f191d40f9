import type { IncomingMessage } from 'node:http'
import { tooLarge } from './bounded-body.ts'

/** An answer that was read to its end: its text is there at once, and no stream has to be made to carry it. */
export class GatheredResponse extends Response {
  override readonly text: () => Promise<string>
  override readonly json: () => Promise<unknown>

  constructor(text: string, init: ResponseInit) {
    super(null, init)
    this.text = async () => text
    this.json = async () => JSON.parse(text)
  }
}

/** Rejects at the limit, before the bytes are gathered, and where the connection ends before the body does. */
export async function gatherResponse(message: IncomingMessage, maxBytes: number): Promise<GatheredResponse> {
  const text = await gatherText(message, maxBytes)
  const headers: Record<string, string> = {}
  // What is no text are cookies, which are not kept.
  for (const [name, value] of Object.entries(message.headers)) if (typeof value === 'string') headers[name] = value
  return new GatheredResponse(text, { status: 200, statusText: message.statusMessage ?? '', headers })
}

function gatherText(message: IncomingMessage, maxBytes: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  let bytes = 0
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) message.destroy(tooLarge(maxBytes))
    else chunks.push(chunk)
  })
  message.once('end', () => {
    const [only] = chunks
    const text = chunks.length === 1 && only !== undefined ? only.toString() : Buffer.concat(chunks).toString()
    // As `Response` reads a text: the mark is none of it.
    resolve(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  })
  message.once('error', reject)
  return promise
}

const BYTE_ORDER_MARK = '\uFEFF'
