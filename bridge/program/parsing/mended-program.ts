import type { Program } from 'acorn'
import type { Notice } from '../../outcome.ts'
import type { EditedText } from '../text/edited-text.ts'
import { applyEdits } from '../text/edited-text.ts'
import { MEND_BYTES } from '../limits.ts'
import { mendEscapedLines } from '../mending/mend-escapes.ts'
import { MENDS, mendEntities } from '../mending/mend-text.ts'
import type { ParseError, ParseProgram } from './parse-program.ts'
import { scanCode } from '../text/scan-code.ts'
import { stripTypes } from './strip-types.ts'
import type { SyntaxFault } from './syntax-error.ts'
import { RESULT_NOTICES } from '../shape/result-notices.ts'
import { nodeAt, walk } from './walk.ts'

export type MendedProgram =
  | {
      readonly kind: 'program'
      readonly text: EditedText
      readonly program: Program
      readonly notices: readonly Notice[]
    }
  | { readonly kind: 'fault'; readonly text: EditedText; readonly fault: SyntaxFault }

/** JavaScript as it stands; else without its types; else with the slips of its transport mended, one kind at a time. */
export function mendProgram(original: EditedText, parse: ParseProgram): MendedProgram {
  let attempt = readProgram(original, parse)
  if (original.text.length > MEND_BYTES) return attempt
  if (attempt.kind === 'program')
    return withoutEntities(original, parse) ?? withoutEscapedLines(original, attempt.program, parse) ?? attempt
  const notices: Notice[] = []
  let text = original
  for (const mend of MENDS) {
    const { edits, notice } = mend(text.text)
    if (edits.length === 0) continue
    text = applyEdits(text, edits)
    notices.push(notice)
    const next = readProgram(text, parse)
    if (next.kind === 'program') return { ...next, notices: [...notices, ...next.notices] }
    attempt = next
  }
  for (const variant of variantsOf(text)) {
    const next = readProgram(variant.text, parse)
    if (next.kind === 'program') return { ...next, notices: [...notices, ...next.notices, ...variant.notices] }
  }
  return attempt
}

/** `a &lt; b` parses too: as `a & lt`, and then `b`. Where no name is `lt`, that was never meant. */
function withoutEntities(original: EditedText, parse: ParseProgram): MendedProgram | undefined {
  const { text } = original
  if (!/&(?:lt|gt|amp);/.test(text) || /(?<!&)\b(?:lt|gt|amp)\b|\b(?:lt|gt|amp)\b(?!;)/.test(text)) return undefined
  const { edits, notice } = mendEntities(text)
  const next = edits.length === 0 ? undefined : readProgram(applyEdits(original, edits), parse)
  return next?.kind === 'program' ? { ...next, notices: [notice, ...next.notices] } : undefined
}

/** On one line, `// a comment\\nreturn 1` is nothing but a comment: what stands behind it was meant to run. */
function withoutEscapedLines(original: EditedText, program: Program, parse: ParseProgram): MendedProgram | undefined {
  if (!original.text.split('\n').some(hasEscapedLine)) return undefined
  const { edits, notice } = mendEscapedLines(original.text)
  const next = edits.length === 0 ? undefined : readProgram(applyEdits(original, edits), parse)
  const isMore = next?.kind === 'program' && next.program.body.length > program.body.length
  return isMore ? { ...next, notices: [notice, ...next.notices] } : undefined
}

/** Looked for one after the other: as one pattern it would try every `//` of a line of slashes. */
function hasEscapedLine(line: string): boolean {
  const comment = line.indexOf('//')
  return comment !== -1 && line.includes('\\n', comment)
}

const TYPES_NOTICE: Notice = { code: 'types-removed', message: 'TypeScript types were left out; they are not checked' }

function readProgram(text: EditedText, parse: ParseProgram): MendedProgram {
  const plain = parse(text.text, 'javascript')
  if (plain.kind === 'program') {
    const asIs = { kind: 'program', text, program: plain.program, notices: [] } as const
    if (!hasTypeArguments(text.text, plain.program)) return asIs
    const typed = parse(text.text, 'typescript')
    return typed.kind === 'program' ? withoutTypes(text, typed.program, parse) : asIs
  }
  if (plain.isTooMuch) return { kind: 'fault', text, fault: plain }
  const typed = parse(text.text, 'typescript')
  if (typed.kind === 'program') return withoutTypes(text, typed.program, parse)
  return { kind: 'fault', text, fault: isTypeAt(text.text, plain.offset) ? later(plain, typed) : plain }
}

/** `tools.call<Result>(id, args)` is JavaScript too: two comparisons, which nobody writes in a row. */
function hasTypeArguments(text: string, program: Program): boolean {
  if (!/[\w$]<[^=;]{1,400}?>\(/.test(text)) return false
  let found = false
  walk(program, (node) => {
    const left = nodeAt(node, 'left')
    const isChain = Reflect.get(node, 'operator') === '>' && left !== undefined && Reflect.get(left, 'operator') === '<'
    if (isChain && node.type === 'BinaryExpression') found = true
    return found ? 'skip' : 'enter'
  })
  return found
}

function withoutTypes(text: EditedText, typed: Program, parse: ParseProgram): MendedProgram {
  const stripped = stripTypes(text.text, typed)
  if (stripped.kind === 'unsupported') return { kind: 'fault', text, fault: stripped }
  const bare = applyEdits(text, stripped.edits)
  const program = parse(bare.text, 'javascript')
  // What TypeScript allows and JavaScript does not, such as decorators.
  if (program.kind === 'error') return { kind: 'fault', text: bare, fault: program }
  return { kind: 'program', text: bare, program: program.program, notices: [TYPES_NOTICE] }
}

function later(plain: ParseError, typed: ParseError): ParseError {
  return typed.offset > plain.offset ? typed : plain
}

/** What JavaScript refuses there is how a type begins, so the fault proper lies behind it. */
function isTypeAt(text: string, offset: number): boolean {
  if (/^[:<?!]/.test(text.slice(offset, offset + 1))) return true
  const around = text.slice(Math.max(0, offset - 24), offset + 12)
  return /\b(?:as|satisfies|interface|type|enum|declare|namespace|abstract|implements|readonly|private|public|protected)\b/.test(
    around,
  )
}

/** Space and comments in front. */
const LEADING = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/

interface Variant {
  readonly text: EditedText
  readonly notices: readonly Notice[]
}

/** Texts that say what a program meant that is no statement: a nameless function, a function with its call, an object. */
function* variantsOf(text: EditedText): Generator<Variant> {
  const start = LEADING.exec(text.text)?.[0].length ?? 0
  let end = text.text.trimEnd().length
  while (end > start && /[\s;]/.test(text.text[end - 1] ?? '')) end--
  if (end <= start) return
  const head = text.text.slice(start, start + 40)
  const isFunction = /^(?:async\b|function\b|\()/.test(head)
  const called =
    isFunction && text.text.slice(0, end).endsWith(')')
      ? /\}\s{0,20}\(\s{0,20}\)$/.exec(text.text.slice(Math.max(start, end - 60), end))
      : null
  // The end of the function is its last brace; the call behind it is made anyway.
  const functionEnd = called === null ? end : end - called[0].length + 1
  if (isFunction || head.startsWith('{')) yield { text: around(text, start, functionEnd), notices: [] }
  const object = lastObject(text.text, end)
  if (object === undefined) return
  yield {
    text: applyEdits(text, [{ start: object, end: object, text: 'return ' }]),
    notices: [RESULT_NOTICES.returned],
  }
}

function around(text: EditedText, start: number, end: number): EditedText {
  return applyEdits(text, [
    { start, end: start, text: '(' },
    { start: end, end: text.text.length, text: '\n)' },
  ])
}

/** Where the braces open that close at the end of the text, if they begin a line or a statement. */
function lastObject(text: string, end: number): number | undefined {
  if (text[end - 1] !== '}') return undefined
  const open: number[] = []
  let last: number | undefined
  for (const region of scanCode(text)) {
    if (region.kind !== 'code') continue
    for (let at = region.start; at < Math.min(region.end, end); at++) {
      if (text[at] === '{') open.push(at)
      else if (text[at] === '}') last = open.pop()
    }
  }
  if (last === undefined || open.length > 0) return undefined
  return /(?:^|[;\n}])[ \t]*$/.test(text.slice(Math.max(0, last - 80), last)) ? last : undefined
}
