import type { Sentence } from './sentences.ts'

/**
 * The sentences of a text that is another's way of writing, without those that the other has as they are, so that the
 * same is not read twice. The first stays: a text's first sentence is read otherwise than the rest.
 */
export function unlikeSentences(sentences: readonly Sentence[], other: readonly Sentence[]): readonly Sentence[] {
  const known = new Set(other.slice(1).map(keyOf))
  return sentences.filter((sentence, at) => at === 0 || !known.has(keyOf(sentence)))
}

/** All that a sentence is read by, and not where it stands. */
function keyOf(sentence: Sentence): string {
  let key = ''
  let [before, quotation] = [0, 0]
  for (const token of sentence) {
    // Of its quotations it counts where one ends and the next begins.
    if (token.quotation !== before && token.quotation !== 0) quotation += 1
    before = token.quotation
    const marks = `${token.isBeforeColon ? ':' : ''}${token.isBeforeBreak ? ',' : ''}${before === 0 ? '' : quotation}`
    key += `${token.text} ${marks}\n`
  }
  return key
}
