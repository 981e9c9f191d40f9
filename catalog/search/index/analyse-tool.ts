import type { Tool } from '../../tool.ts'
import { NAME_USUAL_MAX_WORDS, SEQUENCE_MAX_WORDS, VARIETY_MIN_WORDS } from '../limits.ts'
import type { TextReader } from '../text/text-reader.ts'
import type { SearchWeights } from '../weights.ts'
import { FIELDS, toolTexts } from './tool-texts.ts'

/** What the index keeps of one tool; a function of the tool and the weights alone, so that order never matters. */
export interface ToolAnalysis {
  /** Term → how much of the tool it is, 0 to 1. */
  readonly impacts: ReadonlyMap<string, number>
  readonly nameTerms: readonly string[]
  /** Terms of the description in their order. */
  readonly sequence: readonly string[]
  readonly action: number
  /** Words of name, owner, title and description as written: what an unknown word may have meant. */
  readonly words: readonly string[]
}

export function analyseTool(tool: Tool, reader: TextReader, weights: SearchWeights): ToolAnalysis {
  const texts = toolTexts(tool)
  const frequencies = new Map<string, number>()
  let nameTerms: readonly string[] = []
  let sequence: readonly string[] = []
  for (const field of FIELDS) {
    // A name may be nothing but stop words (`help`, `do_it`), so those are kept there.
    const terms = field === 'name' ? reader.allTermsOf(texts[field]) : reader.termsOf(texts[field])
    if (field === 'name') nameTerms = terms
    if (field === 'description') sequence = terms.slice(0, SEQUENCE_MAX_WORDS)
    const norm = 1 - weights.lengthNorm[field] + (weights.lengthNorm[field] * terms.length) / weights.pivotWords[field]
    const counts = countsOf(terms)
    const worth = weights.field[field] * varietyOf(counts.size, terms.length, weights) * plainness(nameTerms.length)
    for (const [term, count] of counts) {
      // A word that is repeated says nothing new: repetition is how descriptions are stuffed.
      const repeats = Math.min(count, weights.repeatsMax)
      frequencies.set(term, (frequencies.get(term) ?? 0) + (worth * repeats) / norm)
    }
  }
  const impacts = new Map<string, number>()
  for (const [term, frequency] of frequencies) impacts.set(term, frequency / (weights.saturation + frequency))
  return {
    impacts,
    nameTerms,
    sequence,
    action: actionOf(nameTerms, sequence, reader),
    words: reader.plainWordsOf(`${texts.name} ${texts.owner} ${texts.title} ${texts.description}`),
  }
}

/** Less than 1 for a tool whose name is a list of words: nobody names a tool so but to be found by all of them. */
function plainness(nameWords: number): number {
  return Math.min(1, NAME_USUAL_MAX_WORDS / Math.max(1, nameWords))
}

/** 1 for text as people write it, less for one that says a few words over and over. */
function varietyOf(distinct: number, total: number, { varietyMin }: SearchWeights): number {
  if (total < VARIETY_MIN_WORDS || distinct >= total * varietyMin) return 1
  return distinct / (total * varietyMin)
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** The first verb of the name, else the word that the description opens with. */
function actionOf(nameTerms: readonly string[], sequence: readonly string[], reader: TextReader): number {
  for (const term of nameTerms) {
    const action = reader.actionOf(term)
    if (action > 0) return action
  }
  return reader.actionOf(sequence[0] ?? '')
}
