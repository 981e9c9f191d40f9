import type { Edit } from '../text/edited-text.ts'
import { scanCode, within } from '../text/scan-code.ts'
import type { Mend } from './mend.ts'

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '', t: '\t', '"': '"', "'": "'", '\\': '\\', '`': '`' }

/** A program on one line with `\n` for its line ends, as it is when it was encoded once too often. */
export function mendEscapedLines(text: string): Mend {
  const notice = {
    code: 'escapes-decoded',
    message: 'the program was encoded twice: "\\n" was read as the end of a line',
  }
  if (text.trim().includes('\n')) return { edits: [], notice }
  // Where none stands alone, each was encoded once more.
  const isTwice = !/(?<!\\)\\n/.test(text) && text.includes('\\\\n')
  const edits = [...text.matchAll(isTwice ? /\\\\(.)/g : /\\(.)/g)].flatMap((match): readonly Edit[] => {
    const char = ESCAPES[match[1] ?? '']
    return char === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, text: char }]
  })
  return { edits: edits.some((edit) => edit.text !== '\\') ? edits : [], notice }
}

/** Quotes or backticks that are escaped wherever they stand: the program stood inside a string once. */
export function mendEscapedQuotes(text: string): Mend {
  const edits = ['"', "'", '`'].flatMap((mark): readonly Edit[] => {
    const places = [...text.matchAll(new RegExp(mark, 'g'))].map(({ index }) => index)
    if (places.length < 2 || places.some((at) => text[at - 1] !== '\\')) return []
    const escaped = mark === '`' ? [...text.matchAll(/\\(?=\$\{)/g)].map(({ index }) => index + 1) : []
    return [...places, ...escaped].map((at) => ({ start: at - 1, end: at, text: '' }))
  })
  return { edits: edits.toSorted((a, b) => a.start - b.start), notice: BACKSLASHES }
}

const ESCAPED = /\\(?:u00|x)(0[9ad]|[2-7][0-9a-f])/gi

/** `=\u003e`: signs as some encoders of JSON write them. Inside strings only where the quotes are escaped too. */
export function mendEscapedCharacters(text: string): Mend {
  const found = [...text.matchAll(ESCAPED)].flatMap((match) => {
    const char = String.fromCodePoint(Number.parseInt(match[1] ?? '', 16))
    return /[\w\\]/.test(char) ? [] : [{ start: match.index, end: match.index + match[0].length, text: char }]
  })
  const inCode = within(scanCode(text), (kind) => kind === 'code')
  const isAllEscaped = found.some((edit) => /["'`]/.test(edit.text) && inCode(edit.start))
  const message = 'escaped signs such as "\\u003e" were read as the characters that they stand for'
  return {
    edits: isAllEscaped ? found : found.filter((edit) => inCode(edit.start)),
    notice: { code: 'escapes-decoded', message },
  }
}

/** `snake\_case` and `list\[0\]` as Markdown escapes them, and a line that goes on as in a shell. */
export function mendBackslashes(text: string): Mend {
  const inCode = within(scanCode(text), (kind) => kind === 'code')
  const edits = [...text.matchAll(/\\(?=[_*[\](){}.#<>+\-!|~&=$]|\r?\n)/g)].flatMap(({ index }) =>
    inCode(index) ? [{ start: index, end: index + 1, text: '' }] : [],
  )
  return { edits, notice: BACKSLASHES }
}

/** `return%20await`: all of it as it stands in an address; a program has spaces. */
export function mendPercents(text: string): Mend {
  const message = 'signs such as "%20" were read as the characters that they stand for'
  const notice = { code: 'escapes-decoded', message }
  if (/\s/.test(text.trim()) || !/%20|%0a/i.test(text)) return { edits: [], notice }
  const edits = [...text.matchAll(/(?:%[\da-f]{2})+/gi)].flatMap(({ 0: signs, index }): readonly Edit[] => {
    const char = decoded(signs)
    return char === undefined ? [] : [{ start: index, end: index + signs.length, text: char }]
  })
  return { edits, notice }
}

function decoded(signs: string): string | undefined {
  try {
    return decodeURIComponent(signs)
  } catch {
    // Bytes of no character: they stay as they are, and the parser tells of them.
    return undefined
  }
}

const BACKSLASHES = {
  code: 'escapes-decoded',
  message: 'backslashes that do not belong to the program were left out',
}
