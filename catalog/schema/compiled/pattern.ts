import { RE2JS } from 're2js'
import {
  CHARACTERS_PER_UNIT,
  PATTERN_MAX_LENGTH,
  PATTERN_MAX_PROGRAM,
  PATTERN_MAX_REPEATS,
  PATTERN_STEPS_PER_UNIT,
} from '../limits.ts'

export type LinearPattern =
  | { readonly kind: 'linear'; readonly test: (text: string) => boolean; readonly unitsPerCharacter: number }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Compiles an ECMAScript pattern so that matching takes time linear in the text, whatever the pattern. Patterns without
 * room to backtrack run natively; the others by RE2 (V8's own linear engine would need a flag on the whole process).
 * What RE2 lacks, or reads in another way than ECMAScript does, is refused rather than approximated.
 */
export function linearPattern(pattern: string): LinearPattern {
  const reason = refusal(pattern)
  if (reason !== undefined) return { kind: 'refused', reason }
  const native = nativePattern(pattern)
  if (native !== undefined) {
    return { kind: 'linear', test: (text) => native.test(text), unitsPerCharacter: 1 / CHARACTERS_PER_UNIT }
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(withEcmaScriptClasses(pattern)))
    const size = compiled.programSize()
    if (size > PATTERN_MAX_PROGRAM) return { kind: 'refused', reason: 'it makes too large an automaton' }
    return { kind: 'linear', test: (text) => compiled.test(text), unitsPerCharacter: size / PATTERN_STEPS_PER_UNIT }
  } catch {
    // RE2's parser has no other way to say which of its many limits a pattern meets.
    return { kind: 'refused', reason: 'the linear engine does not support it' }
  }
}

function refusal(pattern: string): string | undefined {
  if (pattern.length > PATTERN_MAX_LENGTH) return `it is longer than ${PATTERN_MAX_LENGTH} characters`
  if (!isEcmaScript(pattern)) return 'it is not an ECMAScript pattern'
  if (/\(\?(?:<?[=!])/.test(pattern)) return 'it has lookaround'
  if (/\\(?:[1-9]|k<)/.test(pattern)) return 'it has a backreference'
  // These mean something else in RE2, or the engines disagree on what they match.
  if (/\\[AzZQECa]|\\p[^{]|\\P[^{]|\[\[:|\\u\{?[dD][89a-fA-F]|\(\?[a-z]*-?[a-z]*:(?<!\(\?:)/.test(pattern)) {
    return 'it has an escape that the linear engine reads differently'
  }
  const repeats = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, least, most]) => Number(most || least))
  const total = repeats.reduce((sum, count) => sum + count, 0)
  return total > PATTERN_MAX_REPEATS ? `its repetitions add up to more than ${PATTERN_MAX_REPEATS}` : undefined
}

/** Unicode mode first, as JSON Schema asks; many published patterns only parse without it (`\-`, `\_`). */
function isEcmaScript(pattern: string): boolean {
  return parsesWith(pattern, 'u') || parsesWith(pattern, '')
}

/** Whether it is a pattern with these flags. */
export function parsesWith(pattern: string, flags: 'u' | ''): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    // Parsing is the question; nothing is ever matched with these.
    return false
  }
}

const ATOM = String.raw`(?:\\[dDwWsS./\\^$*+?()[\]{}|_-]|\[(?:\\[^]|[^\]\\])*\]|[^\\[\](){}|?*+^$])`
const FIXED = String.raw`(?:${ATOM}(?:\{\d+\})?)*`
/** From the start, at most one part of variable length, no groups and no alternatives: nothing to try twice. */
const PLAIN = new RegExp(String.raw`^\^${FIXED}(?:${ATOM}(?:[*+?]|\{\d+,\d*\})${FIXED})?\$?$`)

function nativePattern(pattern: string): RegExp | undefined {
  if (!PLAIN.test(pattern)) return undefined
  try {
    return new RegExp(pattern, 'u')
  } catch {
    // Valid without Unicode mode only (`\\-`, `\\_`): RE2 reads these.
    return undefined
  }
}

const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]'

/** `\s` and `.` cover less in RE2 than in ECMAScript, so they are spelled out. */
function withEcmaScriptClasses(pattern: string): string {
  let isInClass = false
  return pattern.replace(/\\[^]|[[\].]/g, (token) => {
    if (token === '\\s') return isInClass ? SPACE : `[${SPACE}]`
    if (token === '\\S') return isInClass ? NOT_SPACE : `[${NOT_SPACE}]`
    if (token === '.') return isInClass ? '.' : NOT_LINE_END
    if (token === '[') {
      const opened = isInClass ? '\\[' : '['
      isInClass = true
      return opened
    }
    if (token === ']') isInClass = false
    return token
  })
}
