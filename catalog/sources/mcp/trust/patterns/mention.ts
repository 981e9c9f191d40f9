import { classesOfWord } from '../lexicon/words.ts'
import type { Sentence } from '../text/sentences.ts'
import type { Match } from './pattern.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Whoever detects, explains or quotes an instruction does not give it. */
const MENTIONING = set(
  'detect detects detecting detection analyze analyzes analyse analyses analyzing classify classifies explain explains explaining explanation describe describes describing define defines defining definition definitions glossary identify identifies flag flags block blocks prevent prevents protects protect whether example examples e.g i.e known phrases phrase attempts attempt attacks attack simulate simulates illustrates illustrative entries refers documents documenting documentation teaches about evaluates evaluating refuse refuses refusing resist resists catches stops rejects reject redacts redact matches match resembles scanner scanners vulnerability vulnerabilities training mock canned sample samples fixture fixtures rather against defend defends sanitizes sanitize neutralizes neutralises looks lists recognizes recognises learn learns how monitors guards strips quotes warns categories category corpus dataset benchmark',
)
/** `checks` and `scans` mention what they look for; alone they say nothing. */
const SEEKING = set(
  'check checks scan scans test tests search searches look looks inspect inspects review reviews audit audits find finds returns return contains contain score scores report reports',
)
const SOUGHT = set('for whether if phrases attempts text texts prompts messages strings payloads')
/** What prompts, pages and adversaries do, not what anybody is told to; at the beginning it is an order. */
const TRYING = set('try tries trying attempting seeks')
/** From here on the sentence does something else. */
const TURNING = set('then also additionally must should please you afterwards furthermore moreover otherwise')
const NEGATING = set('no not never without than cannot prevents avoid avoids nor')

/** Whether the match only speaks of such words instead of saying them. */
export function isMention(sentence: Sentence, match: Match): boolean {
  const first = sentence[match.start]
  if (first === undefined) return false
  const isQuoted = first.quotation !== 0 && isSaid(sentence, first.quotation)
  if (isQuoted && sentence[match.end - 1]?.quotation === first.quotation) return true
  if (isLabelled(sentence, match.start) || isJudged(sentence, match.end)) return true
  if (isAnew(sentence, match.start)) return false
  for (let at = match.start - 1; at >= 0; at -= 1) {
    const word = sentence[at]?.word ?? ''
    if (sentence[at]?.quotation !== 0) continue
    if (TURNING.has(word)) return false
    // "Checks whether it is a word while …": the second is its own doing.
    if (word === 'while' && sentence.slice(0, at).some((token) => token.word === 'whether')) return false
    if (MENTIONING.has(word)) return true
    if (SEEKING.has(word) && sentence.slice(at, match.start).some((token) => SOUGHT.has(token.word))) return true
    if (TRYING.has(word) && at > 0 && sentence[at + 1]?.word === 'to') return true
    if (word === 'such' && sentence[at + 1]?.word === 'as') return true
    if (word === 'like' && at > 0 && classesOfWord(sentence[at - 1]?.word ?? '').includes('data')) return true
  }
  return false
}

/** Whether another statement begins: after a break, or after "and", whatever adverb or "do" stands between. */
function isAnew(sentence: Sentence, at: number): boolean {
  const before = sentence[at - 1]
  if (before?.isBeforeBreak === true && !before.isBeforeColon) return true
  const word = before?.word ?? ''
  return word === 'and' || ((word === 'do' || word.endsWith('ly')) && sentence[at - 2]?.word === 'and')
}

/** Whether a quotation stands in a sentence and is one: a path, a name or a command in marks is only set off by them. */
function isSaid(sentence: Sentence, quotation: number): boolean {
  const words = sentence.filter((token) => token.quotation === quotation)
  return words.length < sentence.length && words.filter(({ word }) => /^[a-z']+$/.test(word)).length > 1
}

/** After a colon stands what was named before it: "Mock response: …", "Returns sample text: …". */
function isLabelled(sentence: Sentence, at: number): boolean {
  const label = sentence.slice(0, at).findLastIndex((token) => token.isBeforeColon)
  const words = sentence.slice(0, label + 1)
  return words.some(({ word }) => MENTIONING.has(word)) || isSeeking(words)
}

const JUDGED = set('classified flagged marked blocked rejected reported detected refused scored labelled labeled')

/** "A text that tells you to … is classified as unsafe." */
function isJudged(sentence: Sentence, end: number): boolean {
  const at = sentence.findIndex(({ word }, place) => place >= end && place < end + 3 && BEING.has(word))
  return at !== -1 && sentence.slice(at + 1, at + 3).some(({ word }) => JUDGED.has(word))
}

const BEING = set('is are was were gets get')

/** "Audits tools for hidden instructions": what stands behind is looked for. */
function isSeeking(words: Sentence): boolean {
  const at = words.findIndex(({ word }) => SEEKING.has(word))
  return at !== -1 && words.slice(at).some(({ word }) => SOUGHT.has(word))
}

/** Whether one of the few words before `at` says that what follows is not so. */
export function isNegated(sentence: Sentence, at: number, reach = 3): boolean {
  return sentence.slice(Math.max(0, at - reach), at).some((token) => NEGATING.has(token.word))
}

/** Whether what a "not" is to deny is another statement: "this cannot be undone: ask the user". */
export function isOtherStatement(sentence: Sentence, { start, end }: Match): boolean {
  if (!NEGATING.has(sentence[start]?.word ?? '')) return false
  return sentence.slice(start, end - 1).some(({ word, isBeforeColon }) => isBeforeColon || CONCLUDING.has(word))
}

const CONCLUDING = set('so therefore hence')
