/**
 * The longest beginning of a text that fits into so many bytes of UTF-8. Never ends in the middle of a character, of
 * an emoji that is joined of several or of a letter with its accents, and never holds a lone surrogate.
 */
export function cutText(text: string, maxBytes: number): string {
  const whole = text.toWellFormed()
  if (fits(whole, maxBytes)) return whole
  // A byte holds at most one UTF-16 unit, so this much text is enough to look at.
  const start = whole.slice(0, Math.max(0, maxBytes) + 1)
  const units = unitsWithin(start, maxBytes)
  return start.slice(0, clusterStart(whole, units))
}

/** As `cutText`, with a mark at the end where something was cut; the mark counts. */
export function cutTextWithMark(text: string, maxBytes: number, mark = '…'): string {
  const whole = text.toWellFormed()
  if (fits(whole, maxBytes)) return whole
  const room = maxBytes - Buffer.byteLength(mark)
  return room > 0 ? cutText(whole, room) + mark : cutText(whole, maxBytes)
}

/** The bytes that a value takes as JSON text. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

function fits(text: string, maxBytes: number): boolean {
  // Three bytes a unit is the most: a surrogate pair is two units of four bytes together.
  return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes
}

function unitsWithin(text: string, maxBytes: number): number {
  let bytes = 0
  for (let index = 0; index < text.length;) {
    const point = text.codePointAt(index) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (bytes > maxBytes) return index
    index += point < 0x10000 ? 1 : 2
  }
  return text.length
}

/** A cluster longer than this is no letter or emoji but an attack on the reader; it may be split. */
const CLUSTER_MAX_UNITS = 32

/** Enough of what follows to see whether it joins; more changes nothing. */
const NEXT_CHARACTER_UNITS = 4

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Where the cluster begins that the cut would split, or the cut itself where it splits none. */
function clusterStart(text: string, cut: number): number {
  const from = Math.max(0, cut - CLUSTER_MAX_UNITS)
  const isPairSplit = from > 0 && isLowSurrogate(text.charCodeAt(from))
  const base = isPairSplit ? from - 1 : from
  const around = text.slice(base, cut + NEXT_CHARACTER_UNITS)
  for (const { index, segment } of segmenter.segment(around)) {
    const start = base + index
    const isSplit = start < cut && start + segment.length > cut
    if (isSplit) return segment.length >= CLUSTER_MAX_UNITS ? cut : start
  }
  return cut
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
