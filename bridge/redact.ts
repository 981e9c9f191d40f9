import type { JsonValue } from '../catalog/json.ts'
import { isJsonObject } from '../catalog/json.ts'
import { readSecretPattern } from './redact/secret-pattern.ts'
import { isSecretName } from './redact/secret-names.ts'
import { redactPairs } from './redact/secret-pairs.ts'
import { redactShapes } from './redact/secret-shapes.ts'
import { PASSES_MAX, REDACTED, REDACTED_DEPTH, SECRET_MIN_LENGTH } from './redact/limits.ts'

export interface Redactor {
  text(value: string): string
  json(value: JsonValue): JsonValue
}

export interface RedactorOptions {
  /** Regular expressions of what else is secret; what each matches is replaced. `readSecretPattern` says which can be used. */
  readonly patterns?: readonly string[]
  /** Exact values that must never be shown; shorter than 6 characters they are left, as they would match everywhere. */
  readonly secrets?: readonly string[]
}

/**
 * Takes credential-like values out of what is logged, stored or returned as an error, and leaves the rest readable:
 * `token=[redacted]`. Throws a TypeError that names the pattern where one cannot be used.
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const secrets = spellings(options.secrets ?? [])
  const patterns = (options.patterns ?? []).map(compile)
  const text = (value: string): string => {
    let clean = value
    for (const secret of secrets) clean = clean.replaceAll(secret, REDACTED)
    for (const replaceIn of patterns) clean = replaceIn(clean)
    return stable(clean)
  }
  return { text, json: (value) => redactJson(value, { text, isSecret: false, depth: 0 }) }
}

/** Until a pass changes nothing, so that redacting twice is the same as once. */
function stable(text: string): string {
  let clean = text
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const next = redactPairs(redactShapes(clean))
    if (next === clean) return clean
    clean = next
  }
  return clean
}

/** The secret itself and as it stands in a URL or inside JSON text; longest first, so that no part is left behind. */
function spellings(secrets: readonly string[]): readonly string[] {
  const known = secrets.filter((secret) => secret.length >= SECRET_MIN_LENGTH && !REDACTED.includes(secret))
  const all = known.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ])
  return [...new Set(all)].toSorted((a, b) => b.length - a.length)
}

function compile(pattern: string): (text: string) => string {
  const read = readSecretPattern(pattern)
  if (read.kind === 'usable') return read.replaceIn
  throw new TypeError(`redact pattern ${JSON.stringify(pattern)} cannot be used: ${read.reason}`)
}

interface Within {
  readonly text: (value: string) => string
  /** Below a key that names a secret. */
  readonly isSecret: boolean
  readonly depth: number
}

function redactJson(value: JsonValue, within: Within): JsonValue {
  if (typeof value === 'string') return within.isSecret && value !== '' ? REDACTED : within.text(value)
  if (typeof value === 'number') return within.isSecret ? REDACTED : value
  if (typeof value !== 'object' || value === null) return value
  if (within.depth >= REDACTED_DEPTH) return `${REDACTED}: nested too deeply`
  const inner = { ...within, depth: within.depth + 1 }
  if (Array.isArray(value)) return value.map((item) => redactJson(item, inner))
  if (!isJsonObject(value)) return value
  // `{ "name": "Authorization", "value": "…" }`, as lists of headers and variables are written.
  const named = value.name ?? value.key
  const isPair = typeof named === 'string' && isSecretName(named)
  const entries = Object.entries(value).map(([key, item]): readonly [string, JsonValue] => {
    const isSecret = within.isSecret || isSecretName(key) || (isPair && key === 'value')
    return [within.text(key), redactJson(item, { ...inner, isSecret })]
  })
  return Object.fromEntries(entries)
}
