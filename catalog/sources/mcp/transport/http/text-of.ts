import type { HttpHead } from './http-answer.ts'
import { headerOf } from './http-answer.ts'

/**
 * The text of a body, as `Response` reads one: in UTF-8, without its mark. What is none is read as its head says: where a
 * servlet does not choose, it writes Latin-1. Many a head says so of UTF-8, so that the bytes are believed first.
 */
export function textOf(chunks: readonly Buffer[], head: HttpHead): string {
  const [only] = chunks
  const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
  const text = bytes.toString()
  if (text.includes(REPLACED)) return declaredText(bytes, head) ?? text
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

function declaredText(bytes: Buffer, head: HttpHead): string | undefined {
  const [, charset] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(headerOf(head, 'content-type')) ?? []
  if (charset === undefined) return undefined
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // Nobody knows it.
    return undefined
  }
}

const BYTE_ORDER_MARK = '\uFEFF'
/** What stands in the place of bytes that are no UTF-8. */
const REPLACED = '\uFFFD'
