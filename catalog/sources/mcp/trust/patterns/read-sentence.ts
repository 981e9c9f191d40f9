import { SHAPES } from '../lexicon/shapes.ts'
import type { Subject } from '../lexicon/subject.ts'
import { isEffectName, isTheftName, otherToolAt } from '../lexicon/subject.ts'
import { classesOfPair, classesOfWord } from '../lexicon/words.ts'
import type { Sentence, Token } from '../text/sentences.ts'

/** A sentence with the classes of its words, as patterns look for them. */
export interface ReadSentence {
  readonly tokens: Sentence
  /** Of each word: the classes that it begins, and how many words each takes. Literal words stand under themselves. */
  readonly classes: readonly ClassLengths[]
  /** All of them: what is not here, no pattern of this sentence needs to look for. */
  readonly present: ReadonlySet<string>
  /** What a tool of samples says after "Response:" and the like. */
  readonly isSample: boolean
}

/** The sentences of one text: what a word is by itself is found out once, however often it stands there. */
export function readSentences(sentences: readonly Sentence[], subject: Subject): readonly ReadSentence[] {
  const known = new Map<string, ClassLengths>()
  const alone = (token: Token): ClassLengths => {
    const classes = known.get(token.text) ?? classesAlone(token)
    known.set(token.text, classes)
    return classes
  }
  return sentences.map((tokens): ReadSentence => {
    const classes = tokens.map((token, at) => classesAt(alone(token), { tokens, at, subject }))
    const present = new Set<string>()
    for (const found of new Set(classes)) for (const name of found.keys()) present.add(name)
    return { tokens, classes, present, isSample: subject.givesSamples && isLabelled(tokens) }
  })
}

/** How many words each class takes, by its name. */
type ClassLengths = ReadonlyMap<string, number>

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

function classesAlone(token: Token): ClassLengths {
  const found = new Map<string, number>([[token.word, 1]])
  for (const name of classesOfWord(token.word)) found.set(`@${name}`, 1)
  for (const [name, hasShape] of SHAPE_NAMES) if (hasShape(token)) found.set(`@${name}`, 1)
  if (found.has('@secretVariable')) found.set('@secret', 1)
  return found
}

interface Place {
  readonly tokens: Sentence
  readonly at: number
  readonly subject: Subject
}

/** A word with what stands behind it; most are nothing more than they are alone. */
function classesAt(alone: ClassLengths, { tokens, at, subject }: Place): ClassLengths {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token === undefined) return alone
  const pair = next === undefined ? [] : classesOfPair(token.word, next.word)
  const other = otherToolAt(tokens, at, subject)
  if (pair.length === 0 && other === 0) return alone
  const found = new Map(alone)
  for (const name of pair) found.set(`@${name}`, 2)
  if (other > 0) found.set('@otherTool', other)
  if (other === 1 && isEffectName(token.text)) found.set('@otherEffect', 1)
  if (other === 1 && isTheftName(token.text)) found.set('@otherTheft', 1)
  return found
}
