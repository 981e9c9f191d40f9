// One outcome of `tools.callAll`: `{ id, status, value | reason }`. Models read it as the value itself, or by the names
// that other systems use; each of those has one reading, and the log says which name is right.
import { ProxyCtor, stringSlice } from './primordials.js'
import { isReserved, own } from './reading.js'
import { logLine } from './console.js'

const OTHER_NAMES = { __proto__: null, error: 'reason', result: 'value', data: 'value', output: 'value' }
const NAME_CHARS = 80
/** Names that are told of, each once. */
const TOLD_MAX = 4

const told = { __proto__: null }
let toldCount = 0

export function outcome(fields) {
  return new ProxyCtor(fields, { __proto__: null, get: readOutcome })
}

function readOutcome(fields, key) {
  if (key in fields || isReserved(key) || key === 'value' || key === 'reason') return fields[key]
  const inner = own(fields.value, key)
  if (inner !== undefined) {
    tell(key, 'that of its value')
    return inner
  }
  if (key === 'ok' || key === 'success') {
    tell(key, 'status === "fulfilled"')
    return fields.status === 'fulfilled'
  }
  if (key === 'kind' || key === 'outcome') {
    tell(key, '"ok", or the code of its reason')
    return fields.status === 'fulfilled' ? 'ok' : own(fields.reason, 'code')
  }
  const name = OTHER_NAMES[key]
  if (name === undefined) return undefined
  tell(key, `.${name}`)
  return fields[name]
}

function tell(key, meant) {
  if (told[key] === true || toldCount >= TOLD_MAX) return
  told[key] = true
  toldCount += 1
  const name = stringSlice(key, 0, NAME_CHARS)
  logLine('warn', `an outcome of tools.callAll is { id, status, value or reason }: .${name} was read as ${meant}`)
}
