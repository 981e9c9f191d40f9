import type { Notice } from '../../outcome.ts'
import type { Edit, EditedText } from '../text/edited-text.ts'
import { applyEdits, unedited } from '../text/edited-text.ts'
import type { Fence } from './fences.ts'
import { findFences } from './fences.ts'
import { mendProgram } from '../parsing/mended-program.ts'
import type { Parsed, ParseProgram, Span } from '../parsing/parse-program.ts'
import { PROSE_MEND_BYTES, UNWRAP_DEPTH } from '../limits.ts'
import { takeLineMarks } from './line-marks.ts'
import { takeProse } from './prose.ts'
import { takeTaggedPart } from './tagged-part.ts'
import type { Taken } from './tags.ts'
import { takeTags, takeThoughts } from './tags.ts'
import { readSource } from '../text/read-source.ts'
import { isJson } from '../../../catalog/read-json.ts'

export interface Unwrapped {
  readonly text: EditedText
  readonly notices: readonly Notice[]
}

const LANGUAGES: ReadonlySet<string> = new Set([
  '', 'js', 'javascript', 'jsx', 'mjs', 'cjs', 'ts', 'typescript', 'tsx', 'mts', 'node', 'nodejs', 'node.js', 'ecmascript', 'es6', 'code',
  'tool_code', 'tool_search_code', 'program', 'script',
]) // prettier-ignore

/** In either language. */
function isProgram(text: string, parse: ParseProgram): boolean {
  const plain = parse(text, 'javascript')
  if (plain.kind === 'program') return true
  return !plain.isTooMuch && parse(text, 'typescript').kind === 'program'
}

/** The same with slips of its transport in it, which are mended later. */
function isMendable(text: string, parse: ParseProgram): boolean {
  if (isProgram(text, parse)) return true
  return text.length <= PROSE_MEND_BYTES && mendProgram(unedited(text), parse).kind === 'program'
}

/** A program, or the JSON around one. */
function isSource(text: string, parse: ParseProgram): boolean {
  const read = readSource(text)
  return isMendable(text, parse) || (read.kind === 'text' && read.notices.length > 0)
}

/**
 * Takes a program out of what models put around it: thoughts, fenced code with prose, tags, the name of the language,
 * one inside the other.
 */
export function unwrapText(text: EditedText, parse: ParseProgram): Unwrapped {
  const notices = new Map<string, Notice>()
  let current = text
  for (let level = 0; level < UNWRAP_DEPTH; level++) {
    const next = unwrapOnce(current, parse)
    if (next === undefined) break
    current = next.text
    for (const notice of next.notices) notices.set(notice.code, notice)
  }
  return { text: current, notices: [...notices.values()] }
}

/** The text must not be looked at as a program before its fences: a fenced program is one, of odd templates. */
function unwrapOnce(text: EditedText, parse: ParseProgram): Unwrapped | undefined {
  if (/^\s*>/.test(text.text)) return takeQuotation(text)
  const thoughts = takeThoughts(text.text)
  if (thoughts !== undefined) return only(text, [thoughts.span], thoughts.notice)
  const fenced = takeFences(text, (code) => parse(code, 'javascript'))
  if (fenced !== undefined) return fenced
  const headed = takeBehindHead(text, parse, HEADS)
  if (headed !== undefined) return headed
  if (isProgram(text.text, parse)) return undefined
  const behind = takeBehindHead(text, parse, FOREIGN_HEADS)
  if (behind !== undefined) return behind
  const isCode = (code: string): boolean => isProgram(code, parse)
  const taken =
    takeLineMarks(text.text, (code) => isMendable(code, parse)) ??
    takeTaggedPart(text.text, (code) => isSource(code, parse)) ??
    takeTags(text.text, (code) => isMendable(code, parse)) ??
    takeProse(text.text, isCode) ??
    takeProseAroundSlips(text.text, parse)
  return taken === undefined ? undefined : only(text, taken.spans, taken.notice)
}

function takeBehindHead(text: EditedText, parse: ParseProgram, patterns: readonly RegExp[]): Unwrapped | undefined {
  const heads = patterns.map((pattern) => pattern.exec(text.text)?.[0].length ?? 0).filter((length) => length > 0)
  if (heads.length === 0) return undefined
  const { length } = text.text
  const end = length - (BEHIND.exec(text.text.slice(-BEHIND_CHARS))?.[0].length ?? 0)
  const start = heads.find((head) => isSource(text.text.slice(head, end), parse))
  return start === undefined ? undefined : only(text, [{ start, end }], HEAD_NOTICE)
}

/** Marks of chat formats, and where an agent waits for what the tool answers, or made that up. */
const BEHIND =
  /(?:\s*<(?:\|\w{1,40}\||end_of_turn|end_code)>){1,4}\s*$|\n[ \t]*(?:Observation|Tool output)[ \t]*:[\s\S]*$/i
const BEHIND_CHARS = 2_000

/** Sentences around a program that has slips of its transport in it, which are mended later. */
function takeProseAroundSlips(text: string, parse: ParseProgram): Taken | undefined {
  if (text.length > PROSE_MEND_BYTES) return undefined
  const taken = takeProse(text, (code) => isMendable(code, parse))
  return taken === undefined || isMendable(text, parse) ? undefined : taken
}

/** The name of the language on a line of its own, and marks of chat formats, which are programs themselves. */
const HEADS = [
  /^\s*(?:javascript|typescript|js|ts|jsx|tsx)[ \t]*(?::[ \t]*)?\r?\n(?:(?:Copy(?: ?code)?|Copied|Edit|CopyEdit)[ \t]*\r?\n){0,3}(?=[\s\S]*\S)/i,
  /^\s*(?:\[TOOL_CALLS\]|functools)\s*(?=[[{])/,
  /^\s*<start_of_turn>model[ \t]*\r?\n/,
] as const

/** What stands in front of a program and makes it none. */
const FOREIGN_HEADS = [
  // Of a notebook.
  /^\s*%%(?:javascript|js|script)[^\n]{0,80}\n/,
  // Of an agent that writes what it does line by line.
  /^(?:[^\n]{0,2000}\n){0,40}?[ \t]*Action[ _]?Input[ \t]*:\s*(?=\S)/i,
  // Thoughts of which the format of the chat itself wrote the beginning.
  /^[\s\S]{0,50000}?<\/think(?:ing)?>\s*(?=\S)/i,
  // Whose message of a chat it is.
  /^\s*<\|[\s\S]{0,20000}<\|(?:message|tool_call_argument_begin|START_ACTION)\|>/,
  // The head of a block of YAML, and a key without one.
  /^\s*(?:code|program|script)[ \t]*:[ \t]*[|>][-+]?[ \t]*\r?\n(?=[\s\S]*\S)/,
  /^\s*(?:code|program|script|assistant|answer)[ \t]*:[ \t]*(?=\S)/i,
] as const

const HEAD_NOTICE: Notice = {
  code: 'prose-removed',
  message: 'what stood in front of the program was left out; send the program alone',
}

const FENCE_NOTICE: Notice = {
  code: 'fence-removed',
  message: 'only the fenced code was run; send the program alone, without marks and prose',
}

type ParseText = (text: string) => Parsed

function takeFences(text: EditedText, parse: ParseText): Unwrapped | undefined {
  const all = findFences(text.text).filter((fence) => isFence(fence, text.text, parse))
  if (all.length === 0) return takeLoneMarks(text, parse)
  const whole = parse(text.text)
  if (whole.kind === 'program' && !isFencedProgram(all, whole.comments, text.text)) return undefined
  const blocks = programsOf(all, text.text)
  const [first] = blocks
  if (first === undefined) return undefined
  if (blocks.length === 1) return only(text, [first], FENCE_NOTICE)
  return takeSeveral(text, blocks, parse)
}

/** The blocks that are programs: beside one that names the language, a nameless one is its output, and so is JSON. */
function programsOf(all: readonly Fence[], text: string): readonly Fence[] {
  const marked = all.filter(({ language }) => LANGUAGES.has(language))
  const named = marked.filter(({ language }) => language !== '')
  if (named.length > 0) return named
  const code = marked.filter(({ start, end }) => !isJson(text.slice(start, end)))
  if (code.length > 0) return code
  return all.length === 1 ? all : marked
}

/** A text of which each line is a quotation to Markdown. */
function takeQuotation(text: EditedText): Unwrapped | undefined {
  const lines = [...text.text.matchAll(/^([ \t]*>?[ ]?)([^\n]*)$/gm)]
  if (!lines.every(([line, mark = '']) => mark.includes('>') || line.trim() === '')) return undefined
  const spans = lines.map(({ index, 0: line, 1: mark = '' }) => ({
    start: index + mark.length,
    end: index + line.length,
  }))
  return only(text, spans, FENCE_NOTICE)
}

/** Closing marks whose opening ones were lost. */
function takeLoneMarks(text: EditedText, parse: ParseText): Unwrapped | undefined {
  const end = text.text.trimEnd().length - 3
  if (end <= 0 || !text.text.startsWith('```', end) || parse(text.text.slice(0, end)).kind !== 'program')
    return undefined
  return only(text, [{ start: 0, end }], FENCE_NOTICE)
}

/** Odd marks are fences where a program is between them; else they are what their own language takes them for. */
function isFence({ open, start, end }: Fence, text: string, parse: ParseText): boolean {
  return isProperFence(text, open) || parse(text.slice(start, end)).kind === 'program'
}

function isProperFence(text: string, open: number): boolean {
  return !/^[ \t]*(?:'|"|``(?!`))/.test(text.slice(open, open + 40))
}

/** Text that parses although it has fences: as templates (```` ``` ````), or with the fences inside a comment or string. */
function isFencedProgram(fences: readonly Fence[], comments: readonly Span[], text: string): boolean {
  return fences.some(({ open }) => {
    // Only three backticks cannot stand in a template as they are.
    const [line = ''] = text.slice(open).split('\n', 1)
    const isSure = line.includes('```') && !/^[ \t]*~/.test(line)
    return isSure && !comments.some(({ start, end }) => start <= open && open < end)
  })
}

/** Steps of one program go together; versions of a program, which declare the same names, do not. */
function takeSeveral(text: EditedText, blocks: readonly Fence[], parse: ParseText): Unwrapped {
  const joined = only(text, blocks, {
    code: 'fences-joined',
    message: `the ${blocks.length} fenced blocks were run as one program, in their order, up to the first return`,
  })
  if (parse(joined.text.text).kind === 'program') return joined
  const index = blocks.findIndex(({ start, end }) => parse(text.text.slice(start, end)).kind === 'program')
  const chosen = blocks[index]
  if (chosen === undefined) return joined
  return only(text, [chosen], {
    code: 'fence-chosen',
    message: `of ${blocks.length} fenced blocks, which are no program together, only number ${index + 1} was run; send one program`,
  })
}

/** The text with nothing but these parts, each on lines of its own. */
function only(text: EditedText, parts: readonly Span[], notice: Notice): Unwrapped {
  const edits: Edit[] = []
  let from = 0
  for (const { start, end } of parts) {
    edits.push({ start: from, end: start, text: from === 0 ? '' : '\n' })
    from = end
  }
  edits.push({ start: from, end: text.text.length, text: '' })
  return { text: applyEdits(text, edits), notices: [notice] }
}
