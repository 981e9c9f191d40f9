import type { RunError } from '../../run.ts'
import { cutTextWithMark } from '../../result/cut-text.ts'
import type { EditedText } from '../text/edited-text.ts'
import { foreignSyntax } from '../hints/foreign-syntax.ts'
import { slipHint } from '../hints/slip-hint.ts'
import { ERROR_MESSAGE_BYTES } from '../limits.ts'
import { excerpt, isFirstOfLine, lineAt, linesOf } from '../text/positions.ts'
import { unclosedBracket } from '../text/scan-code.ts'
import { isProse } from '../wrapping/prose.ts'

export interface SyntaxFault {
  readonly message: string
  readonly offset: number
  readonly hint?: string
}

/** The error of a program that cannot run, with the model's own line and a caret; nothing has run. */
export function syntaxError(text: EditedText, found: SyntaxFault): RunError {
  const fault = unawaitable(text.text, found) ?? found
  const lines = linesOf(text.source)
  const { line, column } = lines.positionOf(text.toSource(fault.offset))
  const hint = fault.hint ?? hintFor(text, fault, lines.positionOf)
  const shown = `(line ${line}, column ${column})\n${excerpt(lines.textOf(line), column)}${hint === undefined ? '' : `\n${hint}`}`
  const message = `the program cannot run, nothing was called: ${fault.message} ${shown}`
  return {
    code: 'program-error',
    message: cutTextWithMark(message, ERROR_MESSAGE_BYTES),
    line,
    column,
    ...(hint !== undefined && { hint }),
  }
}

/** Where `await` is only a name, the parser stumbles over what follows it. */
function unawaitable(text: string, { message, offset, hint }: SyntaxFault): SyntaxFault | undefined {
  const before = /\bawait\s{1,20}$/.exec(text.slice(Math.max(0, offset - 40), offset))?.[0]
  if (before === undefined || hint !== undefined || !message.startsWith('unexpected token')) return undefined
  return { message: 'await stands in a function that is not async', offset: offset - before.length }
}

type PositionOf = ReturnType<typeof linesOf>['positionOf']

function hintFor(
  { text, toSource }: EditedText,
  { message, offset }: SyntaxFault,
  positionOf: PositionOf,
): string | undefined {
  if (PYTHON.test(text)) return 'this looks like Python; a program is JavaScript'
  const line = lineAt(text, offset)
  if (!CODE_SIGNS.test(text) || isProse(line) || SENTENCE.test(line) || OTHER.test(text))
    return 'this is no JavaScript; send a program alone, e.g. return await tools.search("…")'
  if (message === "unexpected character '@'") return 'decorators are not supported; call the function yourself'
  if (/nested too deeply|more than \d+/.test(message))
    return 'split it into several smaller programs; tools.store keeps values between them'
  if (/await/i.test(message) || /^await\b/.test(text.slice(offset, offset + 6))) {
    return 'await works only in async functions: write `async (x) => …` or `for (const x of list)`'
  }
  const token = /^unexpected (?:token|keyword) ["'](.*)["']$/.exec(message)?.[1]
  const slip = slipHint(text, { message, offset, ...(token !== undefined && { token }) })
  if (slip !== undefined) return slip
  const foreign = foreignSyntax(text, offset)
  if (foreign !== undefined) return foreign
  if (isMarkup(text, offset)) {
    return 'HTML and JSX are not JavaScript; build the text as a string'
  }
  const quote = message === 'unterminated template' ? text.lastIndexOf('`', offset) : -1
  if (quote >= 0) return neverClosed(text, quote, positionOf(toSource(quote)))
  if (message === 'unterminated comment') return 'a comment that begins with /* ends with */, which is missing'
  if (message === 'unterminated string constant')
    return 'the quote that ends this text is missing on its line; a line end in it is written \\n, or the text put in backquotes'
  if (message.startsWith('unexpected end') || message.startsWith('unterminated')) {
    const open = unclosedBracket(text)
    if (open === undefined) return 'something at the end is missing: a bracket, a quote or a value'
    return neverClosed(text, open, positionOf(toSource(open)))
  }
  if (token !== undefined && ')]}'.includes(token))
    return `there is a "${token}" too much, or what belongs before it is missing: a value, or the bracket that it closes`
  if (message.startsWith('shorthand property')) return 'a member is written with a colon: { name: value }'
  if (/has already been declared/.test(message)) return 'choose another name, or assign without const or let'
  if (token === undefined || !/^[\w$"'{[]/.test(token)) return undefined
  const open = isFirstOfLine(text, offset) ? unclosedBracket(text.slice(0, offset)) : undefined
  const isInValue = message.startsWith('unexpected keyword')
  if (open !== undefined && (isInValue || text[open] !== '{' || text[open - 1] === '$'))
    return neverClosed(text, open, positionOf(toSource(open)))
  return /["'`]/.test(text[offset - 1] ?? '')
    ? 'the text ended at the quote before this; put other quotes around a text that has quotes in it'
    : 'something is missing before it: a comma, a colon, an operator, a bracket or the end of a statement'
}

/** No white space that may hold line ends behind `^`: a text of nothing else would be read once from each of them. */
const PYTHON =
  /^[ \t]*(?:def |from \w+ import |elif |import \w+\s*$|async def |except\b.*:\s*$|(?:else|try):\s*$|for \w+ in [^{}\n]{1,200}:\s*$|(?:if|while|with) [^(\s{}][^{}\n]{0,200}:\s*$)|\bprint\(f["']/m
/** Begins with words, whatever follows. */
const SENTENCE = /^\s*\p{Lu}[\p{L}'’]* [\p{Ll}]+ [\p{Ll}]+ /u
/** SQL and PHP. */
const OTHER =
  /^\s*(?:<\?php|SELECT\s[^;]{1,400}\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE)\s/i
const CODE_SIGNS = /\b(?:return|await|tools|console|const|let|var|function)\b|=>|[;{}()=]/

function isMarkup(text: string, offset: number): boolean {
  if (/^<[/\w]/.test(text.slice(offset, offset + 2))) return true
  if (text.slice(Math.max(0, offset - 2), offset + 1).includes('</')) return true
  const before = text.slice(Math.max(0, offset - 200), offset)
  return /<[A-Za-z][\w.]*(?:\s+|>\s*)$/.test(before) && /<\/|\/>/.test(text.slice(offset))
}

function neverClosed(text: string, open: number, { line, column }: ReturnType<PositionOf>): string {
  return `the "${text[open]}" at line ${line}, column ${column} is never closed`
}
