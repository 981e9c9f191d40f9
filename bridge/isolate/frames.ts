import { FRAME_MAX_BYTES } from './limits.ts'
import { ProtocolError } from './protocol.ts'

const HEADER_BYTES = 4

/** A frame is the length of its text in bytes, as four bytes, little-endian; then the text: JSON in UTF-8. */
export function encodeFrame(message: object): Buffer {
  const text = JSON.stringify(message)
  const bytes = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes)
  frame.writeUInt32LE(bytes, 0)
  frame.write(text, HEADER_BYTES, 'utf8')
  return frame
}

/** Cuts a stream of bytes into frames; a frame beyond the bound throws before it is kept. */
export class FrameReader {
  #parts: Buffer[] = []
  #length = 0

  /** @returns the texts of the frames that are now whole */
  push(chunk: Buffer): readonly string[] {
    this.#parts.push(chunk)
    this.#length += chunk.length
    const texts: string[] = []
    for (;;) {
      if (this.#length < HEADER_BYTES) return texts
      const bytes = this.#joined(HEADER_BYTES).readUInt32LE(0)
      if (bytes > FRAME_MAX_BYTES) throw new ProtocolError(`frame of ${bytes} bytes, at most ${FRAME_MAX_BYTES}`)
      const end = HEADER_BYTES + bytes
      if (this.#length < end) return texts
      const whole = this.#joined(end)
      texts.push(whole.toString('utf8', HEADER_BYTES, end))
      this.#parts = whole.length === end ? [] : [whole.subarray(end)]
      this.#length -= end
    }
  }

  /** At least this many bytes in one buffer. */
  #joined(bytes: number): Buffer {
    const first = this.#parts[0]
    if (first !== undefined && first.length >= bytes) return first
    const whole = Buffer.concat(this.#parts)
    this.#parts = [whole]
    return whole
  }
}
