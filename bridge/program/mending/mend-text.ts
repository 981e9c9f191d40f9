import type { Edit } from '../text/edited-text.ts'
import { scanCode, within } from '../text/scan-code.ts'
import type { Mend } from './mend.ts'
import {
  mendBackslashes,
  mendEscapedCharacters,
  mendEscapedLines,
  mendEscapedQuotes,
  mendPercents,
} from './mend-escapes.ts'

/** What text suffers on its way through chats and word processors, one kind after the other; only where it matters. */
export const MENDS: readonly ((text: string) => Mend)[] = [
  mendEntities,
  mendQuotes,
  mendCharacters,
  mendHashComments,
  mendEscapedLines,
  mendEscapedQuotes,
  mendEscapedCharacters,
  mendBackslashes,
  mendPercents,
]

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
  '#x27': "'",
  '#34': '"',
  '#x22': '"',
  '#60': '<',
  '#62': '>',
  '#38': '&',
  '#x3c': '<',
  '#x3e': '>',
  '#x26': '&',
  '#96': '`',
  '#x60': '`',
}

/** Each round of escaping puts one more `amp;` in front. */
const ENTITY = /&(?:amp;){0,3}(#x?[0-9a-f]{1,4}|[a-z]{2,4});/gi
const QUOTE_ENTITY = /^(?:quot|apos|#39|#x27|#34|#x22)$/i

/** `=&gt;` and `&amp;&amp;`. Inside strings only where the quotes are escaped too: then the whole text was. */
export function mendEntities(text: string): Mend {
  const found = [...text.matchAll(ENTITY)].flatMap((match) => {
    const name = match[1]?.toLowerCase() ?? ''
    const char = ENTITIES[name]
    return char === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, text: char, name }]
  })
  const inCode = within(scanCode(text), (kind) => kind === 'code')
  const isAllEscaped = found.some((edit) => QUOTE_ENTITY.test(edit.name) && inCode(edit.start))
  return {
    edits: isAllEscaped ? found : found.filter((edit) => inCode(edit.start)),
    notice: {
      code: 'entities-decoded',
      message: 'HTML entities such as "&gt;" were read as the characters that they stand for',
    },
  }
}

function mendQuotes(text: string): Mend {
  const edits = scanCode(text)
    .filter(({ kind }) => kind === 'smart-string')
    .flatMap(({ start, end }) => straightened(text, start, end))
  return {
    edits,
    notice: { code: 'quotes-replaced', message: 'typographic quotes around strings were read as straight ones' },
  }
}

function straightened(text: string, start: number, end: number): readonly Edit[] {
  const content = text.slice(start + 1, end - 1)
  const quote = ['"', "'", '`'].find((mark) => !content.includes(mark) && (mark !== '`' || !content.includes('${')))
  if (quote === undefined) return []
  return [
    { start, end: start + 1, text: quote },
    { start: end - 1, end, text: quote },
  ]
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '（': '(', '）': ')', '［': '[', '］': ']', '｛': '{', '｝': '}', '，': ',', '；': ';', '：': ':', '．': '.', '＝': '=', '＋': '+',
  '＜': '<', '＞': '>', '！': '!', '＆': '&', '｜': '|', '？': '?', '＂': '"', '＇': "'", '。': '.', '、': ',', '…': '...', '⇒': '=>', '→': '=>',
  '−': '-', '–': '-', '—': '-', '×': '*', '÷': '/', '≤': '<=', '≥': '>=', '≠': '!==',
  '\u0000': '', '\ufe0e': '', '\ufe0f': '', '\u180e': '', '\u2061': '', '\u2062': '', '\u2063': '', '\u2064': '',
  '\u200b': '', '\u200c': '', '\u200d': '', '\u200e': '', '\u200f': '', '\u2060': '', '\u00ad': '',
  '\u202a': '', '\u202b': '', '\u202c': '', '\u202d': '', '\u202e': '', '\u2066': '', '\u2067': '', '\u2068': '', '\u2069': '',
} // prettier-ignore

/** `# a comment` of Python and shells: to JavaScript `#` begins a name, and none begins with a space. */
function mendHashComments(text: string): Mend {
  const inCode = within(scanCode(text), (kind) => kind === 'code')
  const edits = [...text.matchAll(/(?<![\w$.])#(?=[ \t!#]|$)/gm)].flatMap(({ index }) =>
    inCode(index) ? [{ start: index, end: index + 1, text: '//' }] : [],
  )
  return { edits, notice: { code: 'comments-replaced', message: 'a comment begins with //, and "#" was read as that' } }
}

/** Wide and typographic punctuation, and characters that nobody sees. */
function mendCharacters(text: string): Mend {
  const inCode = within(scanCode(text), (kind) => kind === 'code')
  const edits: Edit[] = []
  for (let at = 0; at < text.length; at++) {
    const char = CHARACTERS[text[at] ?? '']
    if (char !== undefined && inCode(at)) edits.push({ start: at, end: at + 1, text: char })
  }
  return {
    edits,
    notice: { code: 'characters-replaced', message: 'typographic or invisible characters in the code were replaced' },
  }
}
