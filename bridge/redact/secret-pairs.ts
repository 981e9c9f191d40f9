import { NAME_MAX_LENGTH, REDACTED } from './limits.ts'
import { isDoubtfulName, isSecretName, looksSecret } from './secret-names.ts'

/** A name, whatever closes its quotes, and `=` or `:` or, for a flag of a command, a space. */
const NAME = new RegExp(
  String.raw`(?<![A-Za-z0-9_.-])(-{0,2}[A-Za-z][A-Za-z0-9_.-]{0,${NAME_MAX_LENGTH}})(\\{0,4}["'\x60]|%22|\])?([ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}|[ \t])`,
  'g',
)

const QUOTED_START = /\\{0,4}["'`]/y
const BARE_VALUE = /[^\s"'`<>&;,(){}\\|]+/y
const HEADER_VALUE = /[^\r\n"'`\\]+/y
const JSON_NUMBER = /-?\d[\d.eE+-]*(?=\s*[,}\]])/y

/** What follows a quote that ends a text in JSON or code. */
const AFTER_TEXT = /^(?:[\s,}\]:)]|$)/

/** Words that follow "password:" and the like in prose and in schemas. */
const PROSE =
  /^(?:required|optional|missing|invalid|expired|revoked|unknown|wrong|incorrect|none|null|true|false|undefined|string|number|boolean|object|array|text|is|are|was|must|should|can|cannot|may|the|a|an|your|this|not|no|to|for|of|in|on|and|or|with|has|have|will|needs?|limit|count|empty|set|unset|yes|see|use|please|bearer|basic|typeof|new|await|string\[\])$/i

/** Replaces the values of pairs whose name says that they are secret: `token=…`, `"apiKey": "…"`, `--password …`. */
export function redactPairs(text: string): string {
  const kept: string[] = []
  let from = 0
  for (const match of text.matchAll(NAME)) {
    if (match.index < from) continue
    const [whole, name = '', close = '', between = ''] = match
    const kind = kindOf(name, between)
    if (kind === undefined) continue
    const start = match.index + whole.length
    const value = valueAt({ text, start, name, close, between })
    if (value === undefined || (kind === 'doubtful' && !looksSecret(value.raw))) continue
    kept.push(text.slice(from, value.start), value.shown)
    from = value.end
  }
  return kept.join('') + text.slice(from)
}

function kindOf(name: string, between: string): 'secret' | 'doubtful' | undefined {
  const isFlag = name.startsWith('--')
  // "the token limit": only a flag has its value behind a space.
  if (between.trim() === '' && !isFlag) return undefined
  // A dotted name is as secret as its last part: `config.db.password`.
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (isSecretName(last)) return 'secret'
  return isDoubtfulName(last) ? 'doubtful' : undefined
}

interface Place {
  readonly text: string
  readonly start: number
  readonly name: string
  /** What closes the quotes of the name; empty where it has none. */
  readonly close: string
  readonly between: string
}

interface Value {
  readonly start: number
  readonly end: number
  readonly raw: string
  readonly shown: string
}

function valueAt(place: Place): Value | undefined {
  const { text, start } = place
  const quote = matchAt(QUOTED_START, text, start)
  if (quote !== undefined) return quotedValue(place, quote)
  const number = place.close !== '' ? matchAt(JSON_NUMBER, text, start) : undefined
  // A bare number in JSON becomes a text, or the JSON would break.
  if (number !== undefined) return { start, end: start + number.length, raw: number, shown: asText(place.close) }
  if (place.close !== '' && /[[{tfn]/.test(text[start] ?? '')) return undefined
  const isHeader = /(?:authorization|cookie)$/i.test(place.name) && place.between.includes(':')
  const value = matchAt(isHeader ? HEADER_VALUE : BARE_VALUE, text, start)
  if (value === undefined || isProse(value, place)) return undefined
  return { start, end: start + value.length, raw: value, shown: REDACTED }
}

function asText(close: string): string {
  return /["']$/.test(close) ? close + REDACTED + close : REDACTED
}

/** To the closing quote of the same kind; to the end of the line where there is none. */
function quotedValue({ text, start, close }: Place, quote: string): Value | undefined {
  const open = start + quote.length
  // `"… token=", …`: the quote ends the text that the pair stands in.
  if (close === '' && AFTER_TEXT.test(text.slice(open, open + 1))) return undefined
  const end = quote.length === 1 ? plainEnd(text, open, quote) : escapedEnd(text, open, quote)
  const raw = text.slice(open, end)
  return raw === '' ? undefined : { start: open, end, raw, shown: REDACTED }
}

function plainEnd(text: string, open: number, quote: string): number {
  let end = open
  while (end < text.length && text[end] !== '\n' && text[end] !== quote) {
    if (text[end] === '"' && AFTER_TEXT.test(text.slice(end + 1, end + 2))) return end
    end += text[end] === '\\' ? 2 : 1
  }
  return Math.min(end, text.length)
}

/** Inside JSON text within JSON text: to a quote that is escaped as often or less, which ends the text around it. */
function escapedEnd(text: string, open: number, quote: string): number {
  let escapes = 0
  for (let end = open; end < text.length && text[end] !== '\n'; end++) {
    if (text[end] === quote.at(-1) && escapes < quote.length) return end - escapes
    escapes = text[end] === '\\' ? escapes + 1 : 0
  }
  return text.length
}

/** "password: must be 8 characters" is a sentence, "password: hunter2" and "token=abc" are not. */
function isProse(value: string, { text, start, between }: Place): boolean {
  const word = value.replace(/[.!?:]+$/, '')
  if (PROSE.test(word) || word === '') return true
  if (between.trim() === '=' && between.length === 1) return /^(?:=|>)/.test(word)
  if (!/^[a-z'-]+$/i.test(word)) return false
  const rest = text.slice(start + value.length, start + value.length + 40)
  return /^[ \t]+[A-Za-z]/.test(rest)
}

function matchAt(pattern: RegExp, text: string, start: number): string | undefined {
  pattern.lastIndex = start
  return pattern.exec(text)?.[0]
}
