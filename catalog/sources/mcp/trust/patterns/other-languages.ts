import type { OddPlace } from '../characters/hidden-characters.ts'
import { ASIAN_LANGUAGES } from '../lexicon/asian-languages.ts'
import { LANGUAGES } from '../lexicon/languages.ts'

const SET_ASIDE = 'tells the model to set its instructions aside'

/** Scripts whose words stand without spaces between them, or grow at either end. */
const RUN_ON = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Devanagari}]/u

/** A point within a path or an address ends no sentence. */
const SAME_SENTENCE = '(?:[^.!?。！？؟।]|\\.(?=\\S)){0,80}?'
const UNDENIED =
  '(?<!(?:\\b(?:no|ne|non|nie|nunca|jamais|mai)|não|не|никогда|不要|不会|不會|不得|请勿|勿|不|لا|لن|đừng|không|jangan|tidak)[^.!?。！？؟।]{0,24})'

interface Forms {
  /** Without one of these in a text, none of the forms is in it. */
  readonly words: readonly string[]
  readonly forms: readonly (readonly [RegExp, string])[]
}

const FORMS: readonly Forms[] = [...LANGUAGES, ...ASIAN_LANGUAGES].map((language) => {
  const word = (alternatives: string): string =>
    RUN_ON.test(language.ignore) ? `(?:${alternatives})` : `(?<!\\p{L})(?:${alternatives})(?!\\p{L})`
  const [ignore, prior, rules] = [word(language.ignore), word(language.prior), word(language.rules)]
  const [send, secret, away] = [word(language.send), word(language.secret), word(language.away)]
  const near = '[^.!?。！？؟।]{0,30}'
  const words = [...language.about.split(' '), ...language.rules.replaceAll('\\w*', '').split('|')]
  return {
    words,
    forms: [
      [formOf(`${ignore}${near}(?:${prior}${near}${rules}|${rules}${near}${prior})`), SET_ASIDE],
      [formOf(word(language.conceal)), 'keeps something from the user'],
      [formOf(word(language.unasked)), "goes past the user's consent"],
      [formOf(word(language.reveal)), 'asks for the instructions that the model was given'],
      ...ordersOf(send, secret, away).map(
        (order) => [formOf(sent(order)), 'hands over what nobody asked for'] as const,
      ),
    ],
  }
})

/** What is sent, what of, and where to: which comes first differs by language. */
function ordersOf(a: string, b: string, c: string): readonly (readonly string[])[] {
  return [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ]
}

/** All three in one sentence; what is said not to be sent is another matter. */
function sent(parts: readonly string[]): string {
  return `(?=${parts[0]})${UNDENIED}${parts.join(SAME_SENTENCE)}`
}

/** What stands in quotation marks is spoken of. */
function formOf(source: string): RegExp {
  return new RegExp(`(?<!["'«»„“‘「])(?:${source})`.replaceAll('\\w', '\\p{L}'), 'iu')
}

/** An order to the model in another language than English, and why it is one. */
export function findForeignOrder(text: string): OddPlace | undefined {
  const present = languagesOf(text.toLowerCase())
  for (const language of FORMS) {
    if (!present.has(language)) continue
    for (const [form, reason] of language.forms) {
      const found = form.exec(text)
      if (found !== null) return { start: found.index, end: found.index + found[0].length, reason }
    }
  }
  return undefined
}

/** The languages of which a text has a word; all are looked for in one pass. */
function languagesOf(text: string): ReadonlySet<Forms> {
  const present = new Set<Forms>()
  for (let at = 0; at < text.length; at += 1) {
    for (const { word, language } of WORDS_BY_LETTER.get(text.charCodeAt(at)) ?? [])
      if (text.startsWith(word, at)) present.add(language)
  }
  return present
}

/** By the code of their first letter. */
const WORDS_BY_LETTER = Map.groupBy(
  FORMS.flatMap((language) => language.words.map((word) => ({ word, language }))),
  ({ word }) => word.charCodeAt(0),
)
