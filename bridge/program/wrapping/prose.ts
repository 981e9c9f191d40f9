import { PROSE_LINES } from '../limits.ts'
import type { Taken } from './tags.ts'

/** Sentences before and behind a program without fences, where what is between them is a program. */
export function takeProse(text: string, isCode: (text: string) => boolean): Taken | undefined {
  const lines = [...text.matchAll(/[^\n]*(?:\n|$)/g)].map((match) => match[0]).filter((line) => line !== '')
  const front = lengthOf(proseAt(lines))
  const back = lengthOf(proseAt(lines.toReversed()))
  const spans = [
    { start: front, end: text.length },
    { start: 0, end: text.length - back },
    { start: front, end: text.length - back },
  ]
  const program = spans.find(({ start, end }) => isCut(start, end, text) && isCode(text.slice(start, end)))
  if (program === undefined) return undefined
  const message = 'the sentences around the program were left out; send the program alone'
  return { spans: [program], notice: { code: 'prose-removed', message } }
}

/** True for a line that is a sentence to any reader, and nothing to the language. */
export function isProse(line: string): boolean {
  if (HEADING.test(line) || RULE.test(line)) return true
  const text = line
    .trim()
    .replace(/^[\p{Extended_Pictographic}\ufe0f\u200d\s]+/u, '')
    .replace(/^(?:#{1,6}|[-*>•]|\d{1,2}[.)])\s+/, '')
  if (text === '' || text.length > LINE_LENGTH || /[={};]|=>|\bawait\b/.test(text)) return false
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u.test(text)) return true
  if (/^[*_"“‘'(]{0,3}\p{Lu}.*:[*_]{0,2}$/u.test(text)) return true
  if (ITEM.test(line) || SENTENCE.test(text)) return true
  // A step of a numbered list.
  if (/^\d{1,2}[.)]\s/.test(line.trim()) && /^\p{Lu}[\p{L}'’]* \p{L}/u.test(text)) return true
  return /^[*_"“‘'(]{0,3}\p{Lu}/u.test(text) && /\p{L} [\p{L}\d`'"“‘*_(][^\s]* [\p{L}\d`'"“‘*_(]/u.test(text)
}

/** One sign alone may be a comment of another language. */
const HEADING = /^\s{0,3}(?:#{2,6}[ \t]+\S|#[ \t]+\p{Lu})/u
const RULE = /^\s{0,3}([-*_=~])\1{2,}\s*$/
/** Words of any case, up to the sign that ends a sentence. */
const SENTENCE = /^\p{L}[\p{L}'’-]*,?(?: ["“‘`]?[\p{L}\d]+(?:['’-][\p{L}\d]+)*["”`,]{0,2}){3,}[.:!]$/u
/** Two words behind the mark of a list are two operands without an operator to the language. */
const ITEM = /^\s{0,8}[-*+•][ \t]+[*_`]{0,3}\p{L}[\p{L}'’]*[*_`:,]{0,4} [*_`]{0,3}\p{L}/u

/** A longer line is data. */
const LINE_LENGTH = 1_000

/** The first lines that are prose, with the empty ones between them. */
function proseAt(lines: readonly string[]): readonly string[] {
  const first = lines.slice(0, PROSE_LINES).findIndex((line) => line.trim() !== '' && !isProse(line))
  const prose = first < 0 ? [] : lines.slice(0, first)
  return prose.some((line) => line.trim() !== '') ? prose : []
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}

function isCut(start: number, end: number, text: string): boolean {
  return start < end && (start > 0 || end < text.length) && text.slice(start, end).trim() !== ''
}
