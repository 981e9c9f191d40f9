import { tsPlugin } from '@sveltejs/acorn-typescript'
import type { Options, Program } from 'acorn'
import { Parser } from 'acorn'
import { NAMED_GROUPS, PROGRAM_NAMES, PROGRAM_TOKENS, TYPED_TOKENS } from '../limits.ts'

// What plugins of acorn build on; its published types leave it out.
declare module 'acorn' {
  interface Parser {
    readonly type: { readonly label: string }
    readonly value: unknown
    readonly start: number
    readonly scopeStack: readonly unknown[]
    readonly allowUsing: boolean
    nextToken(): void
    raise(pos: number, message: string): never
    raiseRecoverable(pos: number, message: string): never
  }
}

type Language = 'javascript' | 'typescript'

export type Parsed =
  | { readonly kind: 'program'; readonly program: Program; readonly comments: readonly Span[] }
  | ParseError

export interface ParseError {
  readonly kind: 'error'
  readonly message: string
  readonly offset: number
  /** Beyond a bound: reading it in another way would only cost as much again. */
  readonly isTooMuch: boolean
}

export interface Span {
  readonly start: number
  readonly end: number
}

export type ParseProgram = (text: string, language: Language) => Parsed

/** A parser that reads each text once, for the steps of one preparation that ask again. */
export function createParser(): ParseProgram {
  const known = new Map<string, Parsed>()
  return (text, language) => {
    const key = `${language}:${text}`
    const parsed = known.get(key) ?? parseProgram(text, language)
    known.set(key, parsed)
    return parsed
  }
}

/** Parses the body of an async function, with imports and exports at its top. Never throws, and ends soon. */
function parseProgram(text: string, language: Language): Parsed {
  const groups = text.match(/\(\?<[^=!]/g)?.length ?? 0
  if (groups > NAMED_GROUPS) return tooMuch(`it has more than ${NAMED_GROUPS} named groups`, 0)
  const comments: Span[] = []
  const parser = language === 'javascript' ? BoundedParser : TypedParser
  try {
    const program = parser.parse(text, {
      ...OPTIONS,
      // The plugin asks for them; plain programs are parsed faster without.
      locations: language === 'typescript',
      onComment: (...comment) => comments.push({ start: comment[2], end: comment[3] }),
    })
    return { kind: 'program', program, comments }
  } catch (error) {
    return describe(error, text)
  }
}

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
}

class TooMuch extends Error {
  override readonly name = 'TooMuch'
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

class SyntaxErrorAt extends SyntaxError {
  readonly pos: number

  constructor(message: string, pos: number) {
    super(message)
    this.pos = pos
  }
}

/** Source is hostile: whatever the parser does is bounded by the tokens that it reads and the names that it keeps. */
function bounded(base: typeof Parser, tokensMax: number): typeof Parser {
  return class extends base {
    #tokens = 0
    readonly #names = new Set<unknown>()

    /** The top of a program is the body of a function, which may use `using`; to the parser it is a script. */
    override get allowUsing(): boolean {
      return super.allowUsing || this.scopeStack.length === 1
    }

    /** The parser's own counts lines from the first each time, and types are read by trying: every wrong try raises. */
    override raise(pos: number, message: string): never {
      throw new SyntaxErrorAt(message, pos)
    }

    override raiseRecoverable(pos: number, message: string): never {
      throw new SyntaxErrorAt(message, pos)
    }

    override nextToken(): void {
      if (++this.#tokens > tokensMax) throw new TooMuch(`it has more than ${tokensMax} words and signs`, this.start)
      super.nextToken()
      if (this.type.label !== 'name') return
      this.#names.add(this.value)
      if (this.#names.size > PROGRAM_NAMES)
        throw new TooMuch(`it has more than ${PROGRAM_NAMES} different names`, this.start)
    }
  }
}

const BoundedParser = bounded(Parser, PROGRAM_TOKENS)
// Below the plugin, so that what it reads again counts again.
const TypedParser = bounded(Parser, TYPED_TOKENS).extend(tsPlugin())

function describe(error: unknown, text: string): ParseError {
  if (error instanceof TooMuch) return tooMuch(error.message, error.offset)
  if (error instanceof RangeError) return tooMuch('it is nested too deeply', 0)
  if (!(error instanceof SyntaxErrorAt)) return tooMuch('it cannot be parsed', 0)
  const { message } = error
  const offset = Math.min(error.pos, text.length)
  if (message === 'Not enough stack space to parse input') return tooMuch('it is nested too deeply', offset)
  return { kind: 'error', message: messageFor(message, text, offset), offset, isTooMuch: false }
}

function tooMuch(message: string, offset: number): ParseError {
  return { kind: 'error', message, offset, isTooMuch: true }
}

function messageFor(message: string, text: string, offset: number): string {
  if (message !== 'Unexpected token') return message.charAt(0).toLowerCase() + message.slice(1)
  return offset >= text.trimEnd().length ? 'unexpected end of the program' : `unexpected ${tokenAt(text, offset)}`
}

function tokenAt(text: string, offset: number): string {
  const token = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]{0,40}|\d[\w.]{0,20}|=>|[=!]==?|&&|\|\||.)/u.exec(
    text.slice(offset, offset + 64),
  )
  return token === null ? 'token' : `token "${token[0]}"`
}
