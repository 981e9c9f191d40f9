import type { ToolText } from '../text/tool-texts.ts'
import { purposeLength } from '../text/purpose.ts'
import type { ReadSentence } from '../patterns/read-sentence.ts'
import type { Segment } from './segment-signs.ts'

/** What a text says, part by part; the first sentence of a description is cut where its purpose ends. */
export function readSegments(
  text: Pick<ToolText, 'place' | 'role'>,
  sentences: readonly ReadSentence[],
): readonly Segment[] {
  return sentences.flatMap((sentence, index): readonly Segment[] => {
    const to = sentence.tokens.length
    if (text.role === 'parameter') return [{ sentence, from: 0, to, part: 'parameter' }]
    if (index > 0 || text.place !== 'description') return [{ sentence, from: 0, to, part: 'aside' }]
    const from = purposeLength(sentence.tokens)
    const purpose: Segment = { sentence, from: 0, to: from, part: 'purpose' }
    return from < to ? [purpose, { sentence, from, to, part: 'aside' }] : [purpose]
  })
}
