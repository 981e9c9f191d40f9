import { SHAPES } from '../lexicon/shapes.ts'
import { isWordClass } from '../lexicon/words.ts'
import type { ReadSentence } from './read-sentence.ts'

/** Words in their order within one sentence. */
export interface Pattern {
  readonly steps: readonly Step[]
}

interface Step {
  /** Words that may stand between the step before and this one. */
  readonly gap: number
  /** Words, and classes with a leading `@`; any of them will do. */
  readonly alternatives: readonly string[]
}

/** First word and the one after the last. */
export interface Match {
  readonly start: number
  readonly end: number
}

/**
 * Reads a pattern: `@class` any word of a class of `lexicon/`, `@class!` a verb of it in base form, `a|b` these words,
 * `~3` up to three words between. Every step is looked for from where the last one ended, nearest first, so that a
 * sentence is matched in one pass.
 */
export function pattern(text: string): Pattern {
  const steps: Step[] = []
  let gap = 0
  for (const part of text.split(' ')) {
    if (part.startsWith('~')) {
      gap = Number(part.slice(1))
      continue
    }
    const alternatives = part.split('|')
    const unknown = alternatives.find((name) => name.startsWith('@') && !isClass(name.slice(1)))
    if (unknown !== undefined) throw new TypeError(`pattern names "${unknown}", which the lexicon does not have`)
    steps.push({ gap, alternatives })
    gap = 0
  }
  return { steps }
}

/** The first place from `from` on where the pattern matches. */
export function findMatch({ steps }: Pattern, sentence: ReadSentence, from: number): Match | undefined {
  const [first, ...rest] = steps
  if (first === undefined || !hasAllSteps({ steps }, sentence)) return undefined
  for (let start = from; start < sentence.tokens.length; start += 1) {
    const taken = take(first, sentence, start)
    if (taken === 0) continue
    const end = endOfMatch(rest, sentence, start + taken)
    if (end !== undefined) return { start, end }
  }
  return undefined
}

/** Whether a sentence has a word for each step, wherever it stands. */
export function hasAllSteps({ steps }: Pattern, { present }: ReadSentence): boolean {
  return steps.every(({ alternatives }) => alternatives.some((name) => present.has(name)))
}

function endOfMatch(steps: readonly Step[], sentence: ReadSentence, begin: number): number | undefined {
  let at = begin
  for (const step of steps) {
    const last = Math.min(at + step.gap, sentence.tokens.length - 1)
    let taken = 0
    while (at <= last && taken === 0) {
      taken = take(step, sentence, at)
      at += Math.max(taken, 1)
    }
    if (taken === 0) return undefined
  }
  return at
}

function take({ alternatives }: Step, { classes }: ReadSentence, at: number): number {
  const found = classes[at]
  if (found === undefined) return 0
  let most = 0
  for (const name of alternatives) most = Math.max(most, found.get(name) ?? 0)
  return most
}

function isClass(name: string): boolean {
  return isWordClass(name) || name in SHAPES || name === 'otherTool' || name === 'otherEffect' || name === 'otherTheft'
}
