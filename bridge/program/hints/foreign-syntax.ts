import { nearMiss } from '../../arguments/near-miss.ts'
import { isFirstOfLine, lineAt } from '../text/positions.ts'

/** Of the text before a place, as much as a word and the spaces behind it take. */
const BEFORE_CHARS = 60

/** What JavaScript has instead of a sign, a word or a form of another language, or of a word that is misspelt. */
export function foreignSyntax(text: string, offset: number): string | undefined {
  const before = text.slice(Math.max(0, offset - BEFORE_CHARS), offset)
  if (before.endsWith('#') && /\s/.test(text[offset] ?? '')) return 'a comment begins with // in JavaScript'
  const line = lineAt(text, offset)
  if (/^[ \t]*\.{3}[ \t]*$/.test(line))
    return 'the dots stand for code that is not there; write it out, or leave them out'
  const place = { text, offset, line }
  const around = text.slice(Math.max(0, offset - 1), offset + 1)
  return SIGNS.get(around) ?? foreignForm(place) ?? foreignWord(before, place) ?? prefixedText(before, text[offset])
}

/** The sign before a place and the one at it. */
const SIGNS = new Map([
  [':=', 'a name is made by const name = value'],
  ['<>', 'what is not equal is compared by !=='],
  ['[:', 'a part of a list is list.slice(from, to)'],
  ['(*', 'a list is taken apart by ...list'],
  ['->', 'an arrow is written =>: (x) => value'],
])

interface Place {
  readonly text: string
  readonly offset: number
  readonly line: string
}

function foreignForm({ text, offset, line }: Place): string | undefined {
  const rest = text.slice(offset, offset + 200)
  if (/^(?:if|for)\b/.test(rest) && isFirstOfLine(text, offset)) return undefined
  if (/^if\b.*\belse\b/.test(rest)) return 'a choice between two values is written: condition ? one : other'
  if (/^for\b.*\bin\b/.test(rest)) return 'a list is made of another by list.map((x) => …), and list.filter((x) => …)'
  return SHELL.test(line) ? 'this is a command of a shell; send the JavaScript program alone' : undefined
}

const SHELL =
  /^\s*(?:\$\w{1,40}\s{0,9}=\s{0,9})?(?:Invoke|Write|Get|Set|New|Import|Select|Where|ForEach|Start|Out|ConvertTo|ConvertFrom)-[A-Z]\w{1,40}\b|^\s*(?:[$%] )?(?:node|npm|npx|deno|bun|python3?|curl|cat|bash|sh|pip)\s+[-\w./"'@<]/

/** The word right before the place is what is wrong, or one that the language does not have. */
function foreignWord(before: string, { text, offset, line }: Place): string | undefined {
  const elif = /\b(?:elif|elseif|elsif)\b/.exec(line)?.[0]
  const rest = text.slice(offset, offset + BEFORE_CHARS)
  const asked = elif ?? /^(?:and|or|not)\b/.exec(rest)?.[0] ?? wordBefore(before, rest)
  if (asked === undefined) return undefined
  const instead = WORDS.get(asked)
  if (instead !== undefined) return `"${asked}" is no word of JavaScript; it has ${instead}`
  const meant = KEYWORDS.includes(asked) ? undefined : nearMiss(asked, KEYWORDS)
  return meant === undefined ? undefined : `did you mean ${meant}?`
}

/** Also the one in front of the parameters of an arrow function. */
function wordBefore(before: string, rest: string): string | undefined {
  const pattern = rest.startsWith('=>')
    ? /(?<![\w$.])([a-zA-Z]{4,6})[ \t]{1,20}\([^()]*\)[ \t]*$/
    : /(?<![\w$.])([a-zA-Z]{2,12})[ \t]{1,20}$/
  return pattern.exec(before)?.[1]
}

const OPERATORS = '&&, ||, !, ===, braces and (x) => …'
const WORDS = new Map([
  ['and', OPERATORS],
  ['or', OPERATORS],
  ['not', OPERATORS],
  ['lambda', OPERATORS],
  ['elif', 'else if (condition) { … }'],
  ['elseif', 'else if (condition) { … }'],
  ['elsif', 'else if (condition) { … }'],
  ['raise', 'throw new Error("…")'],
  ['del', 'delete object.name'],
  ['fn', 'function name() { … }'],
  ['func', 'function name() { … }'],
  ['def', 'function name() { … }'],
  ['print', 'console.log(value)'],
  ['puts', 'console.log(value)'],
  ['echo', 'console.log(value)'],
  ['unless', 'if (!condition)'],
  ['foreach', 'for (const x of list)'],
  ['except', 'catch (error)'],
])
const KEYWORDS = [
  'return', 'await', 'async', 'const', 'let', 'function', 'while', 'switch', 'throw', 'catch', 'finally', 'delete', 'typeof', 'class', 'new', 'else',
] // prettier-ignore

/** `f"…"`: letters in front of a text. */
function prefixedText(before: string, quote: string | undefined): string | undefined {
  return /(?<![\w$])[fr]$/.test(before) && /["']/.test(quote ?? '')
    ? 'write a template in backquotes: `sum is ${result.sum}`'
    : undefined
}
