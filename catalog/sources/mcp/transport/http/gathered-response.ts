import { mendMessage } from '../mend-message.ts'
import { tooLarge } from './bounded-body.ts'
import { decodedBody } from './decoded-body.ts'
import type { HttpAnswer, HttpHead } from './http-answer.ts'
import { textOf } from './text-of.ts'

/** An answer that was read to its end. Most are read from its text alone: headers are made for who asks for the whole. */
export class GatheredResponse extends Response {
  readonly gathered: string
  readonly #head: HttpHead

  constructor(gathered: string, head: HttpHead) {
    super()
    this.gathered = gathered
    this.#head = head
  }

  /** With what `fetch` gives beside the text. */
  whole(): Response {
    const { statusText, headers: all } = this.#head
    const headers: Record<string, string> = {}
    // What is no text are cookies, which are not kept.
    for (const [name, value] of Object.entries(all)) if (typeof value === 'string') headers[name] = value
    // Some call it plain text, or nothing at all.
    if (/^\s*[[{]/.test(this.gathered)) headers['content-type'] = 'application/json'
    return new TextResponse(this.gathered, { status: 200, statusText, headers })
  }
}

/** Its text is there at once, and no stream has to be made to carry it. */
class TextResponse extends Response {
  override readonly text: () => Promise<string>
  override readonly json: () => Promise<unknown>

  constructor(text: string, init: ResponseInit) {
    super(null, init)
    this.text = async () => text
    this.json = async () => mended(JSON.parse(text))
  }
}

/** Rejects at the limit, before the bytes are gathered, and where the connection ends before the body does. */
export async function gatherResponse(answer: HttpAnswer, maxBytes: number): Promise<GatheredResponse> {
  return new GatheredResponse(await gatherText(answer, maxBytes), answer)
}

function mended(value: unknown): unknown {
  return Array.isArray(value) ? value.map(mendMessage) : mendMessage(value)
}

function gatherText(answer: HttpAnswer, maxBytes: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const body = decodedBody(answer)
  const chunks: Buffer[] = []
  let bytes = 0
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) body.destroy(tooLarge(maxBytes))
    else chunks.push(chunk)
  })
  body.once('end', () => resolve(textOf(chunks, answer)))
  body.once('error', reject)
  return promise
}
