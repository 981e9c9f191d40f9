import { correctSpelling } from './misspelled.ts'

/** How a text may be written so that a search does not find what it says. `undefined` where it is not written so. */
export const TURNINGS: readonly { readonly way: string; readonly turn: (text: string) => string | undefined }[] = [
  { way: 'spelled backwards', turn: (text) => english(Array.from(text).toReversed().join('')) },
  { way: 'with each letter moved by 13', turn: (text) => english(text.replace(/[a-z]/gi, moved)) },
  { way: 'with its letters set apart', turn: (text) => changed(text, text.replace(SET_APART, joined)) },
  { way: 'with digits for letters', turn: (text) => changed(text, text.replace(MIXED_WORD, spelled)) },
  { way: 'misspelled', turn: (text) => changed(text, correctSpelling(text)) },
  { way: 'joined into one word', turn: unjoined },
  { way: 'with hyphens within its words', turn: unhyphened },
]

/** What any sentence has. Paths and names are nonsense either way round and must not be taken for one. */
const COMMON_WORDS = new Set('the to and of all your you in is not this that with it for a or be'.split(' '))

function english(text: string): string | undefined {
  const words = text.toLowerCase().split(/[^a-z]+/)
  const isProse = words.filter((word) => COMMON_WORDS.has(word)).length > 1 || /ignore|instructions/i.test(text)
  return isProse || ADDRESS.test(text) ? text : undefined
}

/** No text has one by chance, and whoever turns one around hides it. */
export function hidesAddress(text: string, turned: string): boolean {
  return ADDRESS.test(turned) && !ADDRESS.test(text)
}

const ADDRESS = /\bhttps?:\/\/[a-z\d]/i

function changed(text: string, turned: string): string | undefined {
  return turned === text ? undefined : turned
}

/** Moved by 13 places. */
function moved(letter: string): string {
  const base = letter <= 'Z' ? 65 : 97
  return String.fromCodePoint(((letter.charCodeAt(0) - base + 13) % 26) + base)
}

/** `i g n o r e`, also with points or hyphens; two spaces stand between words. */
const SET_APART = /(?<![A-Za-z])(?:[A-Za-z][ .·_-]{1,3}){4,}[A-Za-z](?![A-Za-z])/g

function joined(run: string): string {
  return run
    .replace(/ {2,}/g, '\n')
    .replace(/[ .·_-]/g, '')
    .replaceAll('\n', ' ')
}

/** A word of letters and digits, `1gn0re`; not `v2`, nor what stands in a path or an address. */
const MIXED_WORD = /(?<![\w.@/-])(?=[a-z\d]{0,40}[a-z])(?=[a-z]{0,40}\d[a-z\d]{0,40}[a-z])[a-z\d]{4,40}(?![\w@/-])/gi
const SPELLED: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' }

function spelled(word: string): string {
  return word.replace(/\d/g, (digit) => SPELLED[digit] ?? digit)
}

/** `ignore_all_previous_rules`, `IgnoreAllPreviousRules`; and not what stands in a path or an address. */
const JOINED = /(?<![\w.@/-])(?:[A-Za-z]+(?:_[A-Za-z]+){3,15}|[A-Za-z][a-z]+(?:[A-Z][a-z]+){3,15})(?![\w@/-])/g

/** Each by itself: what stands around it was read as it is. */
function unjoined(text: string): string | undefined {
  const words = text.match(JOINED)?.map((run) => run.replace(/_|(?<=[a-z])(?=[A-Z])/g, ' '))
  return words?.join('.\n\n')
}

/** Words of most texts that have one are joined by it; where many have, they are cut by it. */
const HYPHENED = /(?<![\w-])[A-Za-z]{1,8}-[a-z]{2,8}(?![\w-])/g
const HYPHENED_MIN = 3

function unhyphened(text: string): string | undefined {
  const many = text.match(HYPHENED) ?? []
  return many.length < HYPHENED_MIN ? undefined : text.replace(HYPHENED, (word) => word.replace('-', ''))
}
