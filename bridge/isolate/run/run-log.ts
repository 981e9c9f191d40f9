import type { LogEntry } from '../../run.ts'

/** The log of one run, up to its bound; what does not fit is counted. The prelude counts too, and is not believed. */
export class RunLog {
  readonly #maxBytes: number
  #entries: LogEntry[] = []
  #bytes = 0
  #dropped = 0
  #reportedDropped = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  add(entry: LogEntry): void {
    const bytes = Buffer.byteLength(entry.text)
    // An empty line costs too.
    const room = this.#maxBytes - this.#bytes
    if (bytes + 1 <= room) {
      this.#entries.push(entry)
      this.#bytes += bytes + 1
      return
    }
    const kept = cutToBytes(entry.text, room - 1)
    this.#bytes = this.#maxBytes
    const keptBytes = Buffer.byteLength(kept)
    this.#dropped += bytes - keptBytes
    if (keptBytes > 0) this.#entries.push({ level: entry.level, text: kept })
  }

  /** What the prelude says it dropped before sending. */
  reportDropped(chars: number): void {
    this.#reportedDropped = chars
  }

  entries(): readonly LogEntry[] {
    return this.#entries
  }

  droppedBytes(): number {
    return this.#dropped + this.#reportedDropped
  }
}

/** The longest start of a text in at most so many UTF-8 bytes, whole characters. */
function cutToBytes(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return ''
  const bytes = Buffer.from(text).subarray(0, maxBytes)
  let end = bytes.length
  // 10xxxxxx continues a character: step back to the start of the one that was cut.
  if (Buffer.byteLength(text) > maxBytes) {
    while (end > 0 && ((Buffer.from(text)[end] ?? 0) & 0xc0) === 0x80) end--
  }
  return bytes.subarray(0, end).toString('utf8')
}
