import type { RunError } from '../../run.ts'
import { cutTextWithMark } from '../../result/cut-text.ts'
import type { EditedText } from '../text/edited-text.ts'
import { ERROR_MESSAGE_BYTES } from '../limits.ts'
import { excerpt, linesOf } from '../text/positions.ts'
import { unclosedBracket } from '../text/scan-code.ts'

export interface SyntaxFault {
  readonly message: string
  readonly offset: number
  readonly hint?: string
}

/** The error of a program that cannot run, with the model's own line and a caret; nothing has run. */
export function syntaxError(text: EditedText, fault: SyntaxFault): RunError {
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

type PositionOf = ReturnType<typeof linesOf>['positionOf']

function hintFor(
  { text, toSource }: EditedText,
  { message, offset }: SyntaxFault,
  positionOf: PositionOf,
): string | undefined {
  if (/^\s*(?:def |from \w+ import |elif |import \w+\s*$|async def |except\b.*:\s*$)/m.test(text)) {
    return 'this looks like Python; a program is JavaScript'
  }
  if (/nested too deeply|too large|more than \d+/.test(message))
    return 'split it into several smaller programs; tools.store keeps values between them'
  if (
    /await/i.test(message) ||
    /^await\b/.test(text.slice(offset, offset + 6)) ||
    /\bawait\s+$/.test(text.slice(Math.max(0, offset - 40), offset))
  ) {
    return 'await works only in async functions: write `async (x) => …` or `for (const x of list)`'
  }
  if (
    /^<[/\w]/.test(text.slice(offset, offset + 2)) ||
    text.slice(Math.max(0, offset - 2), offset + 1).includes('</')
  ) {
    return 'HTML and JSX are not JavaScript; build the text as a string'
  }
  if (message.startsWith('unexpected end') || message.startsWith('unterminated')) {
    const open = unclosedBracket(text)
    if (open === undefined) return 'something at the end is missing: a bracket, a quote or a value'
    const { line, column } = positionOf(toSource(open))
    return `the "${text[open]}" at line ${line}, column ${column} is never closed`
  }
  const token = /^unexpected token "(.*)"$/.exec(message)?.[1]
  if (token !== undefined && ')]}'.includes(token))
    return `there is a "${token}" too much, or the bracket that it closes is missing`
  return /has already been declared/.test(message) ? 'choose another name, or assign without const or let' : undefined
}
