import type { Notice } from '../../outcome.ts'
import type { Span } from '../parsing/parse-program.ts'

/** The parts of a text that are the program, and what to say about the rest. */
export interface Taken {
  readonly spans: readonly Span[]
  readonly notice: Notice
}

const THOUGHTS = /^\s*<(think|thinking|thought|reasoning|analysis|reflection|scratchpad)>[\s\S]*?<\/\1>\s*(?=\S)/i

/** Their beginning, where they were never ended: sentences in front of the program, which are taken as such. */
const THOUGHTS_BEGIN = /^\s*<(?:think|thinking|thought|reasoning|analysis|reflection|scratchpad)>/i

/** What a model thought before it wrote the program. */
export function takeThoughts(text: string): { readonly span: Span; readonly notice: Notice } | undefined {
  const length = (THOUGHTS.exec(text) ?? THOUGHTS_BEGIN.exec(text))?.[0].length
  if (length === undefined) return undefined
  const message = 'the thoughts in front of the program were left out; send the program alone'
  return { span: { start: length, end: text.length }, notice: { code: 'prose-removed', message } }
}

export const TAG_NOTICE: Notice = {
  code: 'tag-removed',
  message: 'tags around the program were left out; send the program alone',
}
const DEPTH = 6
/** The argument of a call in tags that is the program, whatever others stand beside it. */
const PARAMETER =
  /<(?:[a-z]{1,20}:|[|｜][a-z]{1,20}[|｜])?(?:parameter name=["']?(?:code|program|script)["']?(?:\s[^<>]{0,200})?|parameter=(?:code|program|script)|arg_key>\s{0,9}(?:code|program|script)\s{0,9}<\/arg_key>\s{0,9}<arg_value)>([\s\S]*?)(?=<\/(?:[a-z]{1,20}:|[|｜][a-z]{1,20}[|｜])?(?:parameter|arg_value)>|$)/i
const NAMES =
  'script|code|pre|program|javascript|typescript|js|ts|tool_search_code|tool_call|tool_code|answer|source|html|body|head|invoke|parameter|function_calls?|tool_calls|tool_use'
/** Marks of chat formats, which belong to no program: `<|im_end|>`, `</s>`, `[TOOL_CALLS]name{`. */
const MARKS = String.raw`<[|｜][^<>\s]{1,60}[|｜]>|<\/?s>|\[\/?(?:INST|TOOL_CALLS)\]`
/** Whose turn begins: `<|im_start|>assistant`, `<|start_header_id|>assistant<|end_header_id|>`. */
const TURN = String.raw`<\|(?:im_start|start_header_id|start)\|>assistant\b`
const FRONT = new RegExp(
  String.raw`^\s*(?:<!\[CDATA\[|<\?xml[^<>]{0,200}\?>|<!DOCTYPE[^<>]{0,200}>|${TURN}|${MARKS}|tool_search_code(?:\[ARGS\])?(?=\s*(?:\{|<[|｜]))|<\/?(?:(?:[a-z]{1,20}:)?(?:${NAMES})|(?:function|parameter)=[\w.-]{1,80})(?:\s[^<>]{0,200})?>)`,
  'i',
)
const BEHIND = new RegExp(String.raw`(?:\]\]>|${MARKS}|<\/(?:[a-z]{1,20}:)?(?:${NAMES}|function)\s*>)\s*$`, 'i')

/** The program inside tags: known ones as they come, others in pairs around a program. */
export function takeTags(text: string, isCode: (text: string) => boolean, level = 0): Taken | undefined {
  const scripts = [...text.matchAll(/<script(?:\s[^<>]{0,200})?>([\s\S]*?)(?:<\/script\s*>|$)/gi)].map((match) => {
    const start = match.index + match[0].indexOf('>') + 1
    return { start, end: start + (match[1] ?? '').length }
  })
  if (scripts.length > 0) return { spans: scripts, notice: TAG_NOTICE }
  const parameter = PARAMETER.exec(text)
  if (parameter !== null && isCode(parameter[1] ?? '')) {
    const start = parameter.index + parameter[0].length - (parameter[1] ?? '').length
    return { spans: [{ start, end: parameter.index + parameter[0].length }], notice: TAG_NOTICE }
  }
  let start = 0
  let end = text.length
  for (let level = 0; level < DEPTH; level++) {
    start += FRONT.exec(text.slice(start, end))?.[0].length ?? 0
    end -= behind(text.slice(start, end))
  }
  // A closing tag alone may be the end of something else.
  if (start > 0 || (end < text.length && isCode(text.slice(0, end))))
    return { spans: [{ start, end }], notice: TAG_NOTICE }
  return takePair(text, isCode, level)
}

/** The end of a long text is enough; the pattern looks at all of what it is given. */
function behind(text: string): number {
  return BEHIND.exec(text.slice(-400))?.[0].length ?? 0
}

function takePair(text: string, isCode: (text: string) => boolean, level: number): Taken | undefined {
  const open = /^\s*<([a-z][\w:.-]{0,80})(?:\s[^<>]{0,200})?>/i.exec(text)
  const close = /<\/([a-z][\w:.-]{0,80})\s*>\s*$/i.exec(text.slice(-400))
  if (open === null || close === null || open[1] !== close[1]) return undefined
  const span = { start: open[0].length, end: text.length - close[0].length }
  if (span.start >= span.end) return undefined
  const inner = text.slice(span.start, span.end)
  if (isCode(inner)) return { spans: [span], notice: TAG_NOTICE }
  const inside = level < DEPTH && /^\s*</.test(inner) ? takeTags(inner, isCode, level + 1) : undefined
  const spans = inside?.spans.map(({ start, end }) => ({ start: span.start + start, end: span.start + end }))
  return spans?.every(({ start, end }) => isCode(text.slice(start, end))) === true
    ? { spans, notice: TAG_NOTICE }
    : undefined
}
