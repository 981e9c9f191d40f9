import type { Notice } from '../../outcome.ts'
import { scanCode } from '../text/scan-code.ts'

/** What a program gave and sent, as JSON, and what it can have such a word from. */
export interface WrittenTexts {
  readonly code: string
  /** Absent where it failed. */
  readonly value: string | undefined
  /** Calls and answers in their order: what was sent comes back from many a tool. */
  readonly course: readonly { readonly from: 'program' | 'tools'; readonly json: string }[]
}

/**
 * `${result.total}` writes "undefined" of a field that is not there, and `result.total * 2` gives NaN: whoever reads it
 * takes it for the answer. Not said where the program has the word from an answer or writes it itself.
 */
export function absentTextNotices({ code, value, course }: WrittenTexts): readonly Notice[] {
  return WORDS.flatMap((word) => {
    const has = (json: string): boolean => json.includes(word) && isWritten(word, json, code)
    const first = course.find(({ from, json }) => (from === 'tools' ? json.includes(word) : has(json)))
    if (first?.from === 'tools' || hasOwn(code, word)) return []
    const sent = first === undefined ? undefined : noticeOf(word, 'an argument of a call')
    const given = value !== undefined && has(value) ? noticeOf(word, 'the value') : undefined
    return [sent, given].filter((notice) => notice !== undefined)
  })
}

function noticeOf(word: (typeof WORDS)[number], what: string): Notice {
  return word === 'NaN'
    ? {
        code: 'not-a-number',
        message: `${what} has NaN: it was computed from what is no number, most often a field that is not there; console.log the result to see its fields`,
      }
    : {
        code: 'undefined-as-text',
        message: `${what} has the text "undefined": a value that is not there was written into it, most often a field that the result does not have; console.log the result to see its fields`,
      }
}

const WORDS = ['undefined', 'NaN'] as const

/** What the engine itself says of errors, which a program may pass on. */
const OF_ERRORS =
  /(?:properties of|property .{1,80} of|as it is|Cannot convert) undefined|undefined (?:is not|or null|\(reading)/g

function isWritten(word: string, json: string, code: string): boolean {
  const text = word === 'undefined' ? json.replace(OF_ERRORS, '') : json
  // The name of a type.
  const rest = /\btypeof\b/.test(code) ? text.replaceAll(`"${word}"`, '') : text
  return new RegExp(String.raw`(?<![\w$.-])${word}(?![\w$-])`).test(rest)
}

/** In a text of its own; types are compared with the word alone. */
function hasOwn(code: string, word: string): boolean {
  if (!code.includes(word)) return false
  return scanCode(code).some(({ kind, start, end }) => {
    if (kind !== 'string' && kind !== 'template') return false
    const text = code.slice(start, end)
    return text.includes(word) && (text.length > word.length + 2 || !isCompared(code, start, end))
  })
}

function isCompared(code: string, start: number, end: number): boolean {
  return (
    /(?:[=!]=|\bcase)\s{0,9}$/.test(code.slice(Math.max(0, start - 20), start)) ||
    /^\s{0,9}[=!]=/.test(code.slice(end, end + 20))
  )
}
