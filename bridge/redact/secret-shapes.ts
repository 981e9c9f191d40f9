import { REDACTED } from './limits.ts'
import { looksSecret } from './secret-names.ts'

/**
 * Credentials that are known by their form alone. Every repetition has one way to match and a fixed start, so that the
 * time is linear in the text.
 */
const TOKENS = new RegExp(
  `(?<![A-Za-z0-9_])(?:${[
    String.raw`(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}`,
    String.raw`gh[pousr]_[A-Za-z0-9]{16,}`,
    String.raw`github_pat_[A-Za-z0-9_]{20,}`,
    String.raw`gl(?:pat|ptt|dt|rt|soat)-[A-Za-z0-9_-]{16,}`,
    String.raw`xox[a-z]-[A-Za-z0-9-]{10,}`,
    String.raw`xapp-[A-Za-z0-9-]{10,}`,
    String.raw`(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
    String.raw`AIza[A-Za-z0-9_-]{30,}`,
    String.raw`ya29\.[A-Za-z0-9_-]{16,}`,
    String.raw`eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,3}`,
    String.raw`npm_[A-Za-z0-9]{30,}`,
    String.raw`hf_[A-Za-z0-9]{30,}`,
    String.raw`pypi-[A-Za-z0-9_-]{30,}`,
    String.raw`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
    String.raw`shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}`,
    String.raw`dop_v1_[a-f0-9]{32,}`,
    String.raw`tvly-[A-Za-z0-9_-]{16,}`,
    String.raw`AGE-SECRET-KEY-1[A-Z0-9]{20,}`,
    String.raw`[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`,
  ].join('|')})`,
  'g',
)

/** Forms that ordinary names have too (`sk-learn-…`, `db_connection_…`): only with a digit or capital among the letters. */
const DOUBTFUL_TOKENS = /(?<![A-Za-z0-9_])(?:sk-[A-Za-z0-9_-]{16,}|db_[A-Za-z0-9_-]{30,})/g

const SCHEMES =
  /(?<![A-Za-z0-9_])(Bearer|Basic|Digest|Negotiate|ApiKey|AWS4-HMAC-SHA256)[ \t]{1,8}([A-Za-z0-9._~+/=-][A-Za-z0-9._~+/=:-]{5,})/gi

const USER_INFO = /(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/)([^\s/?#@"'<>\\]{1,512})@/g

const PEM_START = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
/** A quote ends the text that a key stands in, even where the key itself is cut off. */
const PEM_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?=\\{0,8}["'`])/g

/** Replaces tokens, authorization values, passwords in addresses and private keys that are known by their form. */
export function redactShapes(text: string): string {
  return redactPem(text)
    .replace(TOKENS, REDACTED)
    .replace(DOUBTFUL_TOKENS, (token) => (/\d|[a-z][A-Z]/.test(token.slice(3)) ? REDACTED : token))
    .replace(SCHEMES, (whole, scheme: string, value: string) => (isCredential(value) ? `${scheme} ${REDACTED}` : whole))
    .replace(USER_INFO, (whole, scheme: string, user: string) => redactUser(whole, scheme, user))
}

/** "bearer authentication" and "basic information" are prose. */
function isCredential(value: string): boolean {
  return looksSecret(value) || /[\d=/+]/.test(value) || (value.length >= 12 && /[A-Z]/.test(value.slice(1)))
}

function redactUser(whole: string, scheme: string, user: string): string {
  const colon = user.indexOf(':')
  if (colon >= 0) return `${scheme}${user.slice(0, colon)}:${REDACTED}@`
  return looksSecret(user) ? `${scheme}${REDACTED}@` : whole
}

/** From the first line of a key to its last, or to the end of the text where that is cut off. */
function redactPem(text: string): string {
  if (!text.includes('-----BEGIN ')) return text
  const kept: string[] = []
  let from = 0
  for (const start of text.matchAll(PEM_START)) {
    if (start.index < from) continue
    kept.push(text.slice(from, start.index), REDACTED)
    from = pemEnd(text, start.index + start[0].length)
  }
  return kept.join('') + text.slice(from)
}

function pemEnd(text: string, from: number): number {
  PEM_END.lastIndex = from
  const end = PEM_END.exec(text)
  return end === null ? text.length : end.index + end[0].length
}
