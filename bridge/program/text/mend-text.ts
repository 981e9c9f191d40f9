import type { Notice } from '../../outcome.ts'
import type { Edit } from './edited-text.ts'
import type { Region } from './scan-code.ts'
import { scanCode } from './scan-code.ts'

export interface Mend {
  readonly edits: readonly Edit[]
  readonly notice: Notice
}

/** What text suffers on its way through chats and word processors, one kind after the other; only where it matters. */
export const MENDS: readonly ((text: string) => Mend)[] = [mendEntities, mendQuotes, mendCharacters, mendEscapedLines]

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

const ENTITY = /&(#x?[0-9a-f]{1,4}|[a-z]{2,4});/gi
const QUOTE_ENTITY = /^(?:quot|apos|#39|#x27|#34|#x22)$/i

/** `=&gt;` and `&amp;&amp;`. Inside strings only where the quotes are escaped too: then the whole text was. */
function mendEntities(text: string): Mend {
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
  '\u200b': '', '\u200c': '', '\u200d': '', '\u200e': '', '\u200f': '', '\u2060': '', '\u00ad': '', '\u202a': '', '\u202c': '',
} // prettier-ignore

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

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '', t: '\t', '"': '"', "'": "'", '\\': '\\', '`': '`' }

/** A program on one line with `\n` for its line ends, as it is when it was encoded once too often. */
function mendEscapedLines(text: string): Mend {
  const notice = {
    code: 'escapes-decoded',
    message: 'the program was encoded twice: "\\n" was read as the end of a line',
  }
  if (text.trim().includes('\n')) return { edits: [], notice }
  const edits = [...text.matchAll(/\\(.)/g)].flatMap((match): readonly Edit[] => {
    const char = ESCAPES[match[1] ?? '']
    return char === undefined ? [] : [{ start: match.index, end: match.index + 2, text: char }]
  })
  return { edits: edits.some((edit) => edit.text !== '\\') ? edits : [], notice }
}

/** Whether a place lies in a region of the kind; asked in rising order, it costs no more than one pass. */
function within(regions: readonly Region[], isWanted: (kind: Region['kind']) => boolean): (at: number) => boolean {
  let index = 0
  return (at) => {
    if ((regions[index]?.start ?? 0) > at) index = 0
    while ((regions[index]?.end ?? Infinity) <= at) index++
    const region = regions[index]
    return region !== undefined && region.start <= at && isWanted(region.kind)
  }
}
