import { SHAPES } from '../lexicon/shapes.ts'
import type { Subject } from '../lexicon/subject.ts'
import { isEffectName, isTheftName, otherToolAt } from '../lexicon/subject.ts'
import { classesOfWord } from '../lexicon/words.ts'
import type { Sentence } from '../text/sentences.ts'

/** A sentence with the classes of its words, as patterns look for them. */
export interface ReadSentence {
  readonly tokens: Sentence
  /** Of each word: the classes that it begins, and how many words each takes. Literal words stand under themselves. */
  readonly classes: readonly ReadonlyMap<string, number>[]
  /** All of them: what is not here, no pattern of this sentence needs to look for. */
  readonly present: ReadonlySet<string>
  /** What a tool of samples says after "Response:" and the like. */
  readonly isSample: boolean
}

export function readSentence(tokens: Sentence, subject: Subject): ReadSentence {
  const classes = tokens.map((_, at) => classesAt(tokens, at, subject))
  const present = new Set(classes.flatMap((found) => [...found.keys()]))
  return { tokens, classes, present, isSample: subject.givesSamples && isLabelled(tokens) }
}

const SAMPLE_LABELS = new Set(
  'response output prompt body text reply subject message content input payload answer document page mail email'.split(
    ' ',
  ),
)
/** Words of a label, "Mock response:" among them. */
const LABEL_MAX_WORDS = 3

function isLabelled(tokens: Sentence): boolean {
  const end = tokens.slice(0, LABEL_MAX_WORDS).findIndex(({ isBeforeColon }) => isBeforeColon)
  return end !== -1 && SAMPLE_LABELS.has(tokens[end]?.word ?? '')
}

const SHAPE_NAMES = Object.entries(SHAPES)

function classesAt(tokens: Sentence, at: number, subject: Subject): ReadonlyMap<string, number> {
  const [token, next] = [tokens[at], tokens[at + 1]]
  const found = new Map<string, number>()
  if (token === undefined) return found
  found.set(token.word, 1)
  for (const name of classesOfWord(token.word)) found.set(`@${name}`, 1)
  for (const [name, hasShape] of SHAPE_NAMES) if (hasShape(token)) found.set(`@${name}`, 1)
  if (found.has('@secretVariable')) found.set('@secret', 1)
  if (next !== undefined) for (const name of classesOfWord(`${token.word}_${next.word}`)) found.set(`@${name}`, 2)
  const other = otherToolAt(tokens, at, subject)
  if (other > 0) found.set('@otherTool', other)
  if (other === 1 && isEffectName(token.text)) found.set('@otherEffect', 1)
  if (other === 1 && isTheftName(token.text)) found.set('@otherTheft', 1)
  return found
}
