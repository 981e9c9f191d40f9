// Where a value cannot be written: a refusal with the place, or a tagged form.
import { isError, stringCharCodeAt, stringSlice } from './primordials.js'
import { quote, textOf } from './reading.js'

const NAME_CHARS = 128
const THROWN_CHARS = 200

export function writeThrown(writer, error) {
  if (writer.strict) return refuse(writer, `threw while it was read: ${thrownText(error)}`)
  writer.text += `{"$threw":${quote(thrownText(error))}}`
  return true
}

export function refuse(writer, message) {
  writer.problem = 'refused'
  writer.message = `${writer.path === undefined ? 'the value' : pathText(writer.path)} ${message}`
  return true
}

export function pathText(path) {
  const own = typeof path.key === 'number' ? `[${path.key}]` : memberText(stringSlice(path.key, 0, NAME_CHARS))
  return (path.next === undefined ? '$' : pathText(path.next)) + own
}

/** A key may be a tool's text: with the ends of its lines it would read as ours. */
function memberText(key) {
  if (key === '') return '[""]'
  for (let index = 0; index < key.length; index++) {
    const code = stringCharCodeAt(key, index)
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 0xbf
    const isOfName = isLetter || code === 36 || code === 95 || (index > 0 && code >= 48 && code <= 57)
    if (!isOfName || (code >= 0x2000 && code <= 0x206f)) return `[${quote(key)}]`
  }
  return `.${key}`
}

/** Text of what a getter threw; it is not written as a value, which might throw again. */
function thrownText(error) {
  if (!isError(error)) return typeof error === 'string' ? stringSlice(error, 0, THROWN_CHARS) : 'not an Error'
  return textOf(() => error.message, '', THROWN_CHARS)
}
