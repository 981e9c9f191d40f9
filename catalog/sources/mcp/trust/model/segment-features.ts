import type { Segment, SegmentSigns } from './segment-signs.ts'
import { segmentWords } from './segment-words.ts'

/** The signs of a segment and each pair of them; its words alone and with what stands beside them. */
export function segmentFeatures(segment: Segment, signs: SegmentSigns): readonly string[] {
  const sorted = [...signs.shown.keys()].toSorted()
  const pairs = sorted.flatMap((first, at) => sorted.slice(at + 1).map((second) => `${first}+${second}`))
  return [...sorted, ...pairs, ...segmentWords(segment, signs.ofWords)]
}
