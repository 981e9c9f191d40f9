/**
 * A text with the words that orders are made of spelled as they should be; the text itself where none is misspelled. A
 * model reads `ingore previuos instuctions` as it is meant, and who looks for words does not. Other words are left alone:
 * what is spelled wrong by chance gives no order.
 */
export function correctSpelling(text: string): string {
  return text.replace(LONG_WORD, (word) => {
    const lower = word.toLowerCase()
    if (KNOWN.has(lower)) return word
    const moved = MAY_BE.has(beginningOf(lower)) ? BY_LETTERS.get(lettersOf(lower)) : undefined
    return moved ?? BY_GAP.get(lower) ?? undoubled(lower) ?? word
  })
}

const LONG_WORD = /(?<![\w@/.-])[A-Za-z]{4,16}(?![\w@/-])/g

const KNOWN: ReadonlySet<string> = new Set(
  'ignore disregard forget override bypass reveal print send upload forward delete previous earlier prior instruction instructions guideline guidelines directive directives restriction restrictions system prompt prompts password passwords credential credentials secret secrets token tokens private access'.split(
    ' ',
  ),
)

/** Shorter ones lack a letter as often as they are another word. */
const GAP_MIN_LENGTH = 6

const BY_LETTERS: ReadonlyMap<string, string> = new Map([...KNOWN].map((word) => [lettersOf(word), word] as const))
const BY_GAP: ReadonlyMap<string, string> = new Map(
  [...KNOWN]
    .filter((word) => word.length >= GAP_MIN_LENGTH && word !== 'reveal')
    .flatMap((word) =>
      // First and last letter stay: "forge" is no "forget".
      Array.from({ length: word.length - 2 }, (_, at) => [word.slice(0, at + 1) + word.slice(at + 2), word] as const),
    ),
)

/** Most words begin and are as long as none of these, and their letters need not be put in order. */
const MAY_BE: ReadonlySet<string> = new Set([...KNOWN].map(beginningOf))

function beginningOf(word: string): string {
  return `${word.slice(0, 1)}${word.length}`
}

/** Letters that changed places: the first is still where it was. */
function lettersOf(word: string): string {
  return word.slice(0, 1) + Array.from(word.slice(1)).toSorted().join('')
}

function undoubled(word: string): string | undefined {
  for (let at = 1; at < word.length; at += 1) {
    if (word[at] !== word[at - 1]) continue
    const single = word.slice(0, at) + word.slice(at + 1)
    if (KNOWN.has(single)) return single
  }
  return undefined
}
