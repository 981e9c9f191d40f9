import { ENDLESS_LINE_FACTOR, OVERSIZE_EDGE_BYTES } from '../../limits.ts'

export interface OversizeLine {
  readonly bytes: number
  readonly head: string
  readonly tail: string
}

export interface LineReaderOptions {
  readonly maxBytes: number
  readonly onLine: (line: string) => void
  readonly onOversize: (line: OversizeLine) => void
  /** A line so long that its end is not waited for; called once for it. */
  readonly onEndless: (bytes: number) => void
}

/**
 * Cuts a byte stream into lines without ever holding more than `maxBytes`. What stands behind the last line feed is read when
 * a line feed is given in the place of the one that never came.
 */
export function createLineReader(options: LineReaderOptions): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)

  function add(part: Buffer): void {
    const before = bytes
    bytes += part.length
    const endless = options.maxBytes * ENDLESS_LINE_FACTOR
    if (bytes > endless && before <= endless) options.onEndless(bytes)
    if (bytes <= options.maxBytes) {
      parts.push(part)
      return
    }
    if (parts.length > 0) {
      const held = Buffer.concat(parts)
      head = Buffer.from(held.subarray(0, OVERSIZE_EDGE_BYTES))
      tail = Buffer.from(held.subarray(-OVERSIZE_EDGE_BYTES))
      parts = []
    }
    if (head.length === 0) head = Buffer.from(part.subarray(0, OVERSIZE_EDGE_BYTES))
    tail = Buffer.from(Buffer.concat([tail, part.subarray(-OVERSIZE_EDGE_BYTES)]).subarray(-OVERSIZE_EDGE_BYTES))
  }

  function endLine(): void {
    const line = { bytes, head, tail }
    const held = parts
    parts = []
    bytes = 0
    head = Buffer.alloc(0)
    tail = Buffer.alloc(0)
    if (line.bytes > options.maxBytes) {
      options.onOversize({ bytes: line.bytes, head: line.head.toString(), tail: line.tail.toString() })
    } else {
      options.onLine(Buffer.concat(held).toString().trim())
    }
  }

  return (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, at))
      endLine()
      from = at + 1
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
}

/**
 * The id that an oversize answer carries, read from the edge where the whole line's own member must stand: right after
 * the opening brace, or right before the closing one. Text inside the result cannot reach either place.
 */
export function answeredId(line: OversizeLine): number | string | undefined {
  const [, first] = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*,/.exec(line.head) ?? []
  const [, last] = /,\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(line.tail) ?? []
  const id = first ?? last
  if (id === undefined) return undefined
  return id.startsWith('"') ? id.slice(1, -1) : Number(id)
}
