/**
 * JSON, or lines of it, in which nothing but a line feed ends a line to anybody. Readers of event streams and of stdio made with
 * Python's `splitlines` or Node's `readline` take NEL and the separators of lines and paragraphs for ends too, and cut the text of
 * a message there: the call that it answers hangs.
 */
export function withPlainLineEnds(json: string): string {
  // Of a text that is all Latin each look is one over bytes, or none.
  const hasMore = json.includes(NEL) || json.includes(LINE) || json.includes(PARAGRAPH)
  return hasMore ? json.replaceAll(LINE_ENDS, escaped) : json
}

/** The same of what is on its way as bytes. */
export function withPlainLineEndsIn(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const hasMore = [NEL, LINE, PARAGRAPH].some((end) => buffer.includes(end))
  // Byte by byte, so that a character of which a part is yet to come stays whole.
  return hasMore ? Buffer.from(buffer.toString('latin1').replaceAll(ENCODED, decoded), 'latin1') : bytes
}

const NEL = '\u0085'
const LINE = '\u2028'
const PARAGRAPH = '\u2029'
const LINE_ENDS = /[\u0085\u2028\u2029]/g
const ENCODED = /\u00C2\u0085|\u00E2\u0080[\u00A8\u00A9]/g

function escaped(end: string): string {
  return `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function decoded(bytes: string): string {
  return escaped(Buffer.from(bytes, 'latin1').toString())
}
