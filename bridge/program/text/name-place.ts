import { linesOf } from './positions.ts'
import { scanCode, within } from './scan-code.ts'

interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Where a name stands that the engine missed: it tells the place of the expression or statement around it, which may
 * begin lines before. Undefined where the name is not found behind that place.
 */
export function placeOfName(code: string, from: Place, name: string): Place | undefined {
  const { offsetOf, positionOf } = linesOf(code)
  const inCode = within(scanCode(code), (kind) => kind === 'code')
  const whole = String.raw`(?<![\p{ID_Continue}$])${name.replaceAll('$', String.raw`\$`)}(?![\p{ID_Continue}$])`
  const start = offsetOf(from)
  // Of a name that is assigned and was never declared the engine tells the place of the sign.
  const assigned = new RegExp(`${whole}[ \\t]{0,20}$`, 'u').exec(code.slice(Math.max(0, start - NAME_CHARS), start))
  if (assigned !== null && /^=(?!=)/.test(code.slice(start, start + 2))) return positionOf(start - assigned[0].length)
  // Of `for (const x of name.list())` it tells the place of the member.
  const owner = new RegExp(String.raw`${whole}(?:\??\.[\w$]{1,80}){0,4}\??\.$`, 'u').exec(
    code.slice(Math.max(0, start - OWNER_CHARS), start),
  )
  if (owner !== null) return positionOf(start - owner[0].length)
  const pattern = new RegExp(whole, 'gu')
  pattern.lastIndex = start
  for (let found = pattern.exec(code); found !== null; found = pattern.exec(code)) {
    if (inCode(found.index) && !isMember(code, found.index, pattern.lastIndex)) return positionOf(found.index)
  }
  return undefined
}

/** A name of the program and the spaces behind it. */
const NAME_CHARS = 240
/** A name of the program and a few members. */
const OWNER_CHARS = 600

/** `object.name`, or `{ name: value }`. */
function isMember(code: string, start: number, end: number): boolean {
  const before = code.slice(Math.max(0, start - 40), start).trimEnd()
  if (before.endsWith('.')) return !before.endsWith('...')
  return /[{,]$/.test(before) && /^\s{0,20}:/.test(code.slice(end, end + 21))
}
