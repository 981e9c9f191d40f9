import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import type { Notice } from '../../outcome.ts'
import { DECODE_DEPTH, WRAPPER_DEPTH } from '../limits.ts'
import { readLiteral } from './read-literal.ts'

export type SourceText =
  | { readonly kind: 'text'; readonly text: string; readonly notices: readonly Notice[] }
  | { readonly kind: 'problem'; readonly message: string }

const CODE_KEYS = ['code', 'program', 'source', 'script', 'javascript', 'js', 'typescript', 'body'] as const
const WRAPPER_KEYS = [
  'arguments', 'args', 'input', 'parameters', 'params', 'function', 'action_input', 'tool_input', 'tool_calls', 'tool_search_code',
  'functionCall', 'function_call', 'executableCode', 'executable_code', 'tool_call', 'toolCall', 'tool_use', 'toolUse',
] as const // prettier-ignore
const CODE_SIGNS = /\b(?:return|await|async|tools|console|const|let|var|function)\b|=>/

/** The program's text, also where it came as JSON text or inside an object, as the arguments of a call. */
export function readSource(source: unknown): SourceText {
  const decoded = decode(source)
  if (decoded === undefined) return { kind: 'problem', message: `a program is text, not ${kindOf(source)}` }
  if (decoded.trim() === '') return { kind: 'problem', message: 'the program is empty' }
  const message = 'the program came inside JSON and was taken out of it; positions count in the program itself'
  return { kind: 'text', text: decoded, notices: decoded === source ? [] : [{ code: 'json-decoded', message }] }
}

function decode(source: unknown): string | undefined {
  let current = source
  for (let level = 0; level < DECODE_DEPTH; level++) {
    if (typeof current !== 'string') {
      const inner = codeIn(current)
      if (inner === undefined) return undefined
      current = inner
      continue
    }
    const inner = innerOf(current.trim())
    if (inner === undefined) return current
    current = inner
  }
  return typeof current === 'string' ? current : undefined
}

/** What a text of JSON or one pair of backticks stands for, if that is a program; a string may be a program itself. */
function innerOf(text: string): unknown {
  if (/^`[^`]+`$/.test(text) && !text.includes('${') && CODE_SIGNS.test(text)) return text.slice(1, -1)
  // The call of the tool itself, written out.
  const argument = ownArgument(text)
  if (argument !== undefined) return innerOf(argument) ?? quotedText(argument)
  // `{ code: "…" }` is a block with a label to the language, and a call's arguments to any reader.
  const quoted = OBJECT_OF_CODE.exec(text)?.[1]
  const written = quoted === undefined ? undefined : (innerOf(quoted) ?? quotedText(quoted))
  if (written !== undefined) return written
  const bare = withoutHeadComments(text)
  if (!/^(?:["{]|\[\s*\{)/.test(bare)) return undefined
  // The JSON itself stood inside a string once.
  if (/^\{\s*\\"/.test(bare)) return readJson(`"${bare}"`)
  const value = readJson(bare) ?? (bare.startsWith('"') ? undefined : readLiteral(bare))
  if (typeof value === 'string') return CODE_SIGNS.test(value) ? value : undefined
  return codeIn(value)
}

/** JSON with a line of comment above it is a program to the language, which does nothing. */
function withoutHeadComments(text: string): string {
  return text.startsWith('//') ? text.replace(/^(?:\/\/[^\n]*\n\s*){1,20}(?=[[{])/, '') : text
}

/** Hostile texts are read too: nowhere may two parts of a pattern share one run of spaces. */
const OWN_CALL =
  /^\[?(?:(?:return|await)\s+){0,2}(?:print\(\s*)?(?:[\w$]{1,40}\.){0,2}tool_search_code\(\s*(?:(?:code|program)\s*=\s*)?/
const OBJECT_OF_CODE =
  /^\{\s*["']?(?:code|program|source|script)["']?\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)[\s,}\]]*$/s
const QUOTED = /^("""|'''|["'])([\s\S]*)\1$/

/** A text in the manner of another language: other quotes, line ends as they are. */
function quotedText(quoted: string): string | undefined {
  const [, marks = '', inner] = QUOTED.exec(quoted) ?? []
  if (inner === undefined || !CODE_SIGNS.test(inner)) return undefined
  if (marks.length > 1) return inner
  const escaped = inner.replace(/\\([\s\S])|["\r\n\t]/g, (sign, next: string | undefined) =>
    next === "'" ? "'" : next === undefined ? JSON.stringify(sign).slice(1, -1) : sign,
  )
  try {
    const text: unknown = JSON.parse(`"${escaped}"`)
    return typeof text === 'string' ? text : undefined
  } catch {
    // Escapes of another language; as it stands it will not parse, and that is said.
    return undefined
  }
}

function ownArgument(text: string): string | undefined {
  const head = OWN_CALL.exec(text)?.[0]
  if (head === undefined) return undefined
  let rest = text.slice(head.length).trimEnd()
  if (rest.endsWith(';') || (rest.endsWith(']') && text.startsWith('['))) rest = rest.slice(0, -1).trimEnd()
  if (!rest.endsWith(')')) return undefined
  while (rest.endsWith(')')) rest = rest.slice(0, -1).trimEnd()
  return rest.endsWith(',') ? rest.slice(0, -1).trimEnd() : rest
}

function codeIn(value: unknown, level = 0): unknown {
  if (level > WRAPPER_DEPTH) return undefined
  // One call in a list of calls.
  if (Array.isArray(value)) return value.length === 1 ? codeIn(value[0], level + 1) : undefined
  if (!isJsonObject(value)) return undefined
  const key = CODE_KEYS.find((name) => typeof value[name] === 'string')
  if (key !== undefined) return value[key]
  const lines = CODE_KEYS.map((name) => value[name]).find(isLines)
  if (lines !== undefined) return lines.join('\n')
  const wrapper = WRAPPER_KEYS.find((name) => {
    const held = value[name]
    return typeof held === 'string' ? !isBareObject(held, level) : codeIn(held, level + 1) !== undefined
  })
  return wrapper === undefined ? undefined : value[wrapper]
}

/** The arguments of another call, as JSON text. */
function isBareObject(text: string, level: number): boolean {
  const value = text.trimStart().startsWith('{') ? readJson(text) : undefined
  return value !== undefined && codeIn(value, level + 1) === undefined
}

/** A program as the list of its lines. */
function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === 'string')
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object without "code"'
  return value === undefined ? 'nothing' : `a ${typeof value}`
}
