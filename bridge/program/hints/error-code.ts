import { readJsonObject } from '../../../catalog/read-json.ts'
import type { Notice, Outcome } from '../../outcome.ts'

/** Codes of the errors of operations. */
const CODES: Readonly<Record<Exclude<Outcome['kind'], 'ok' | 'waiting'> | 'limit', true>> = {
  'unknown-tool': true,
  'ambiguous-tool': true,
  'invalid-input': true,
  denied: true,
  rejected: true,
  expired: true,
  'stale-tool': true,
  'client-tool': true,
  busy: true,
  unavailable: true,
  'timed-out': true,
  cancelled: true,
  failed: true,
  'invalid-output': true,
  limit: true,
}

const COMPARED = /\.code\s{0,9}[=!]==?\s{0,9}["']([\w-]{1,60})["']/g
const COMPARED_MAX = 16

/** `error.code === 'NOT_FOUND'`: never true of an error of a call, where one came and the program gives no such code itself. */
export function errorCodeNotice(code: string, errors: readonly string[]): Notice | undefined {
  if (errors.length === 0) return undefined
  const other = [...code.matchAll(COMPARED)]
    .slice(0, COMPARED_MAX)
    .map(([, name = '']) => name)
    .find(
      (name) =>
        !Object.hasOwn(CODES, name) && !isGiven(code, name) && !errors.some((json) => json.includes(`"${name}"`)),
    )
  if (other === undefined) return undefined
  const had = readJsonObject(errors[0] ?? '')?.['code']
  const message = `no error of a call has the code "${other}", so what was compared with it went wrong; the error here had the code ${JSON.stringify(had)}`
  return { code: 'error-code', message }
}

/** `code: 'NOT_FOUND'`, `error.code = 'NOT_FOUND'`. */
function isGiven(code: string, name: string): boolean {
  return new RegExp(String.raw`\bcode\s{0,9}(?::|=(?!=))\s{0,9}["']${name}["']`).test(code)
}
