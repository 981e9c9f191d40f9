import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpErrorCode } from '../http/http-error.ts'
import { HttpError } from '../http/http-error.ts'

/** What Node says of bytes that it could not read as a request. */
export interface BrokenRequest extends Error {
  readonly code?: string
  /** Of the parser's own, fixed texts. */
  readonly reason?: string
}

/**
 * Answers what never became a request, and so meets no route and no error handler, in the form of every other error, and closes the
 * connection: where the next request would begin is not known.
 */
export function answerBrokenRequest(error: BrokenRequest, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const { status, body } = brokenRequest(error)
    const text = JSON.stringify(body)
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`
    const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close`
    socket.write(`${head}\r\n${headers}\r\n\r\n${text}`)
  }
  socket.destroy(error)
}

function brokenRequest({ code, reason }: BrokenRequest): HttpError {
  const known = KNOWN[code ?? '']
  if (known !== undefined) return new HttpError(...known)
  const why = reason === undefined || reason === '' ? 'it breaks off' : reason.charAt(0).toLowerCase() + reason.slice(1)
  return new HttpError('invalid_request', `the request cannot be read: ${why}`)
}

/** Texts are ours or the parser's, and repeat nothing of what was sent. */
const KNOWN: Readonly<Record<string, readonly [HttpErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'the headers are larger than the 16 KB that are read; send fewer, or shorter',
  ],
  HPE_INVALID_METHOD: [
    'invalid_request',
    'this is no HTTP request; the port speaks plain http://, and no https:// or h2',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'the request did not come whole in time; send it faster, or in parts'],
}
