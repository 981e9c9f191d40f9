import { QUOTED_MAX_TOKENS, SENTENCE_MAX_TOKENS } from '../limits.ts'

/** One word, path, address or identifier of a text. */
export interface Token {
  /** As written, without the punctuation around it. */
  readonly text: string
  /** In lower case, without a possessive ending; negations in short form are `not`. */
  readonly word: string
  /** Place in the text. */
  readonly start: number
  readonly end: number
  /** Number of the quotation that it stands in; 0 outside. */
  readonly quotation: number
  /** What punctuation follows it. */
  readonly isBeforeColon: boolean
  readonly isBeforeBreak: boolean
}

export type Sentence = readonly Token[]

/** Words of a text by sentence; one pass. */
export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Token[][] = []
  let current: Token[] = []
  const quotations = new Quotations()
  let lastEnd = 0
  const finish = (): void => {
    if (current.length > 0) sentences.push(quotations.settle(current))
    current = []
  }
  for (const { 0: chunk, index } of text.matchAll(/\S+/g)) {
    if (startsSentence(text.slice(lastEnd, index), chunk) || current.length >= SENTENCE_MAX_TOKENS) finish()
    lastEnd = index + chunk.length
    const { lead, core, trail } = parts(chunk)
    quotations.open(lead, current.length)
    const pieces = piecesOf(core)
    let offset = index + lead.length
    for (const [at, piece] of pieces.entries()) {
      const start = text.indexOf(piece, offset)
      offset = start + piece.length
      const isLast = at === pieces.length - 1
      current.push({
        text: piece,
        word: wordOf(piece),
        start,
        end: offset,
        quotation: quotations.current,
        isBeforeColon: isLast && trail.includes(':'),
        isBeforeBreak: isLast && /[,;:()\u2014]/.test(trail),
      })
    }
    quotations.close(trail, current.length)
    if (/[.!?;\u3002]/.test(trail) && !ABBREVIATIONS.has(core.toLowerCase())) finish()
  }
  finish()
  return sentences
}

const ABBREVIATIONS = new Set(['e.g', 'i.e', 'etc', 'vs', 'cf', 'approx', 'incl', 'no'])
const LEAD = /^[([{<"'`*_\u201c\u2018\u00ab\u2014\u2013#>-]+(?=\S)/
const TRAIL = /[)\]}>"'`*,.;:!?\u201d\u2019\u00bb\u2014\u2026\u3002]+$/

/** Most of a text: a word, with a mark behind it at the end of a clause. */
const PLAIN_CHUNK = /^([A-Za-z]+)[,.;:!?]?$/

function parts(chunk: string): { readonly lead: string; readonly core: string; readonly trail: string } {
  const plain = PLAIN_CHUNK.exec(chunk)?.[1]
  if (plain !== undefined) return { lead: '', core: plain, trail: chunk.slice(plain.length) }
  const lead = LEAD.exec(chunk)?.[0] ?? ''
  const rest = chunk.slice(lead.length)
  const trail = TRAIL.exec(rest.slice(-8))?.[0] ?? ''
  const core = rest.slice(0, rest.length - trail.length)
  return core === '' ? { lead: '', core: chunk, trail: '' } : { lead, core, trail }
}

/** Words joined by a hyphen, slash or dash are words of their own; paths, addresses and identifiers stay whole. */
function piecesOf(core: string): readonly string[] {
  if (PLAIN_WORD.test(core)) return [core]
  if (/^[~.]?\/|^\.\w|:\/\/|@|\\|_|=|^-/.test(core)) return [core]
  const pieces = core.split(/[-\u2010-\u2015/]|\.(?=\p{Lu})|[<>()[\]:,!?](?=\p{L})/u).filter((piece) => piece !== '')
  return pieces.length > 0 ? pieces : [core]
}

const PLAIN_WORD = /^[A-Za-z]+$/

function wordOf(piece: string): string {
  const lower = piece.toLowerCase()
  if (PLAIN_WORD.test(lower)) return lower === 'cannot' ? 'not' : lower
  const word = lower.replaceAll('\u2019', "'")
  if (/^(?:do|does|did|wo|should|must|ca|could|would|is|are|need)n't$/.test(word)) return 'not'
  return word.replace(/'s?$/, '').replace(/^[([<"'`]+|[)\]>"'`]+$/g, '')
}

function startsSentence(gap: string, chunk: string): boolean {
  if (!gap.includes('\n')) return false
  return /\n\s*\n/.test(gap) || /^[\p{Lu}\d*<[#\u2022-]/u.test(chunk)
}

/** Which words stand in quotation marks. A mark that is not closed soon was an apostrophe, or a trick. */
class Quotations {
  #count = 0
  #mark = ''
  #since = 0
  readonly #closed = new Set<number>()

  get current(): number {
    return this.#mark === '' ? 0 : this.#count
  }

  open(lead: string, at: number): void {
    const mark = /["'`\u201c\u2018\u00ab]/.exec(lead)?.[0]
    if (this.#mark !== '' || mark === undefined) return
    this.#mark = CLOSING[mark] ?? mark
    this.#count += 1
    this.#since = at
  }

  close(trail: string, at: number): void {
    if (this.#mark === '') return
    if (trail.includes(this.#mark)) this.#closed.add(this.#count)
    else if (at - this.#since < QUOTED_MAX_TOKENS) return
    this.#mark = ''
  }

  /** A quotation ends with its sentence at the latest. */
  settle(tokens: readonly Token[]): Token[] {
    const last = this.current
    if (last !== 0) this.#mark = ''
    return tokens.map((token) =>
      token.quotation === 0 || this.#closed.has(token.quotation) ? token : { ...token, quotation: 0 },
    )
  }
}

const CLOSING: Readonly<Record<string, string>> = { '\u201c': '\u201d', '\u2018': '\u2019', '\u00ab': '\u00bb' }
