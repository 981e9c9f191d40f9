import type { Notice } from '../../outcome.ts'
import type { Edit, EditedText } from './edited-text.ts'
import { applyEdits } from './edited-text.ts'
import type { Fence } from './fences.ts'
import { findFences } from './fences.ts'
import type { Parsed, Span } from '../parsing/parse-program.ts'

export interface Unwrapped {
  readonly text: EditedText
  readonly notices: readonly Notice[]
}

/** Tells whether a text is a program. */
export type ParseText = (text: string) => Parsed

const LANGUAGES: ReadonlySet<string> = new Set([
  '', 'js', 'javascript', 'jsx', 'mjs', 'cjs', 'ts', 'typescript', 'tsx', 'mts', 'node', 'nodejs', 'node.js', 'ecmascript', 'es6', 'code',
  'tool_code', 'tool_search_code', 'program', 'script',
]) // prettier-ignore

/**
 * Takes a program out of what models put around it: fenced code with prose, tags, the name of the language. The text
 * must not be looked at as a program first: a fenced program is one, of odd templates.
 */
export function unwrapText(text: EditedText, parse: ParseText): Unwrapped {
  const fenced = takeFences(text, parse)
  if (fenced !== undefined) return fenced
  const languageLine = /^\s*(?:javascript|typescript|js|ts|jsx|tsx)[ \t]*:?[ \t]*\r?\n(?=[\s\S]*\S)/i.exec(text.text)
  if (languageLine !== null && parse(text.text.slice(languageLine[0].length)).kind === 'program') {
    return only(text, [{ start: languageLine[0].length, end: text.text.length }], FENCE_NOTICE)
  }
  if (parse(text.text).kind === 'program') return { text, notices: [] }
  return takeTags(text) ?? takeProse(text, parse) ?? { text, notices: [] }
}

const FENCE_NOTICE: Notice = {
  code: 'fence-removed',
  message: 'only the fenced code was run; send the program alone, without marks and prose',
}

function takeFences(text: EditedText, parse: ParseText): Unwrapped | undefined {
  const all = findFences(text.text)
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // Parsing is the question.
    return false
  }
}

/** Closing marks whose opening ones were lost. */
function takeLoneMarks(text: EditedText, parse: ParseText): Unwrapped | undefined {
  const end = text.text.trimEnd().length - 3
  if (end <= 0 || !text.text.startsWith('```', end) || parse(text.text.slice(0, end)).kind !== 'program')
    return undefined
  return only(text, [{ start: 0, end }], FENCE_NOTICE)
}

/** Text that parses although it has fences: as templates (```` ``` ````), or with the fences inside a comment or string. */
function isFencedProgram(fences: readonly Fence[], comments: readonly Span[], text: string): boolean {
  return fences.some(({ open }) => {
    const isTilde = /^[ \t]*~/.test(text.slice(open, open + 8))
    return !isTilde && !comments.some(({ start, end }) => start <= open && open < end)
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

const TAG_NOTICE: Notice = {
  code: 'tag-removed',
  message: 'tags around the program were left out; send the program alone',
}
const TAGS_DEPTH = 6
const TAGS =
  /^\s*(?:<!\[CDATA\[|<\/?(?:script|code|pre|program|javascript|typescript|js|ts|tool_search_code|tool_call|tool_code|answer|source|html|body|head|invoke|parameter|(?:function|parameter)=[\w.-]{1,80})(?:\s[^<>]{0,200})?>)/i
const TAGS_BEHIND =
  /(?:\]\]>|<\/(?:script|code|pre|program|javascript|typescript|js|ts|tool_search_code|tool_call|tool_code|answer|source|html|body|head|invoke|parameter|function)\s*>)\s*$/i

function takeTags(text: EditedText): Unwrapped | undefined {
  const scripts = [...text.text.matchAll(/<script(?:\s[^<>]{0,200})?>([\s\S]*?)(?:<\/script\s*>|$)/gi)].map((match) => {
    const start = match.index + match[0].indexOf('>') + 1
    return { start, end: start + (match[1] ?? '').length }
  })
  if (scripts.length > 0) return only(text, scripts, TAG_NOTICE)
  let start = 0
  let end = text.text.length
  for (let level = 0; level < TAGS_DEPTH; level++) {
    start += TAGS.exec(text.text.slice(start, end))?.[0].length ?? 0
    end -= start === 0 ? 0 : (TAGS_BEHIND.exec(text.text.slice(start, end))?.[0].length ?? 0)
  }
  if (start === 0) return undefined
  return only(text, [{ start, end }], TAG_NOTICE)
}

/** A sentence in front that ends with a colon, where what follows is a program. */
function takeProse(text: EditedText, parse: ParseText): Unwrapped | undefined {
  const prose = /^\s*\p{Lu}[^\n{}()=;`]{3,200}:[ \t]*\r?\n/u.exec(text.text)
  if (prose === null || parse(text.text.slice(prose[0].length)).kind !== 'program') return undefined
  return only(text, [{ start: prose[0].length, end: text.text.length }], {
    code: 'prose-removed',
    message: 'the sentence in front of the program was left out; send the program alone',
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
