import type { IncomingMessage } from 'node:http'
import { mendMessage } from '../mend-message.ts'
import { tooLarge } from './bounded-body.ts'
import { decodedBody } from './decoded-body.ts'

/** An answer that was read to its end: its text is there at once, and no stream has to be made to carry it. */
export class GatheredResponse extends Response {
  override readonly text: () => Promise<string>
  override readonly json: () => Promise<unknown>

  constructor(text: string, init: ResponseInit) {
    super(null, init)
    this.text = async () => text
    this.json = async () => mended(JSON.parse(text))
  }
}

/** Rejects at the limit, before the bytes are gathered, and where the connection ends before the body does. */
export async function gatherResponse(message: IncomingMessage, maxBytes: number): Promise<GatheredResponse> {
  const text = await gatherText(message, maxBytes)
  const headers: Record<string, string> = {}
  const isJson = /^\s*[[{]/.test(text)
  // What is no text are cookies, which are not kept.
  for (const [name, value] of Object.entries(message.headers)) if (typeof value === 'string') headers[name] = value
  // Some call it plain text, or nothing at all.
  if (isJson) headers['content-type'] = 'application/json'
  return new GatheredResponse(text, { status: 200, statusText: message.statusMessage ?? '', headers })
}

function mended(value: unknown): unknown {
  return Array.isArray(value) ? value.map(mendMessage) : mendMessage(value)
}

function gatherText(message: IncomingMessage, maxBytes: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const body = decodedBody(message)
  const chunks: Buffer[] = []
  let bytes = 0
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) body.destroy(tooLarge(maxBytes))
    else chunks.push(chunk)
  })
  body.once('end', () => {
    const [only] = chunks
    const text = chunks.length === 1 && only !== undefined ? only.toString() : Buffer.concat(chunks).toString()
    // As `Response` reads a text: the mark is none of it.
    resolve(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  })
  body.once('error', reject)
  return promise
}

const BYTE_ORDER_MARK = '\uFEFF'
