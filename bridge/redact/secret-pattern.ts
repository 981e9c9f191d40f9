import { RE2JS } from 're2js'
import { REDACTED } from './limits.ts'

export type SecretPattern =
  | {
      readonly kind: 'usable'
      /** The text with a mark in the place of each match. */
      readonly replaceIn: (text: string) => string
    }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * An operator's regular expression of what is secret. It runs over every text that is logged or kept, whoever wrote that,
 * so that it must take linear time: what only a backtracking engine knows (look-around, references back) is refused.
 */
export function readSecretPattern(pattern: string): SecretPattern {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return { kind: 'usable', replaceIn: (text) => compiled.matcher(text).replaceAll(REDACTED) }
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    return { kind: 'refused', reason: `it must run in linear time, and the engine for that says: ${said}` }
  }
}
