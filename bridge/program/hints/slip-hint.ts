import { unclosedBracket } from '../text/scan-code.ts'

/** Of the text before a place, as much as the slips that are looked for take. */
const BEFORE_CHARS = 200

export interface Slip {
  readonly message: string
  readonly offset: number
  /** What the parser did not expect there, where that is what it says. */
  readonly token?: string
}

/** What to do about slips whose message alone does not say it. */
export function slipHint(text: string, { message, offset, token }: Slip): string | undefined {
  const before = text.slice(Math.max(0, offset - BEFORE_CHARS), offset)
  if (CUT_JSON.test(text)) return 'this is JSON that was cut off; send the program alone'
  if (/\.{3}\s{0,9}$/.test(before) && token !== undefined && ')]}'.includes(token))
    return 'the dots stand for something that is not there; write it out'
  if (/\bconst\s{1,9}[\w$]{1,60}\s{0,9};?\s{0,9}$/.test(before))
    return 'a const gets its value where it is declared; declare it with let'
  if (message.startsWith('unexpected keyword') && /\b(?:const|let|var|function|class)\s{1,9}$/.test(before))
    return 'this is a word of the language itself; choose another name'
  const told = MESSAGES.find(([pattern]) => pattern.test(message))?.[1]
  return told ?? tokenHint(text, { before, offset, token })
}

/** An object with the program in it, of which the end is not there. */
const CUT_JSON = /^\s{0,9}\{\s{0,9}"(?:code|program|script|source)"\s{0,9}:\s{0,9}"(?:[^"\\]|\\.)*$/

const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^unsyntactic (?:break|continue)/, 'break and continue stand in loops; a program ends by return'],
  [/^missing catch or finally/, 'behind try { … } stands catch (error) { … } or finally { … }'],
  [/^assigning to rvalue/, 'what stands there cannot be assigned to; === compares'],
]

interface Place {
  readonly before: string
  readonly offset: number
  readonly token: string | undefined
}

function tokenHint(text: string, { before, offset, token }: Place): string | undefined {
  if (token === ',') return 'there is a comma too much, or a value is missing before it'
  if (token === '{' && before.endsWith('$'))
    return 'a value goes into a text in backquotes: `the sum is ${value}`; elsewhere it stands alone'
  if (token === '{' && /\b(?:if|while|for|switch)\s{0,9}\([^\n{]*$/.test(before) && !/\)\s{0,9}$/.test(before))
    return 'the bracket of the condition is not closed: if (condition) { … }'
  if (token === '=>' && /\bfunction\b[^()\n]{0,60}\([^()]*\)\s{0,9}$/.test(before))
    return 'a function is either function (x) { … } or (x) => …'
  if (token === '{' && /\)\s{0,9}$/.test(before) && isInside(text, offset))
    return 'an arrow is missing before it: (x) => { … }'
  if (token === ';' && isInside(text, offset))
    return 'a bracket before it is not closed, or a comma is meant: members and arguments are parted by commas'
  return undefined
}

function isInside(text: string, offset: number): boolean {
  const open = unclosedBracket(text.slice(0, offset))
  if (open === undefined) return false
  return text[open] !== '{' || /[(,=:[]\s{0,9}$/.test(text.slice(Math.max(0, open - 20), open))
}
