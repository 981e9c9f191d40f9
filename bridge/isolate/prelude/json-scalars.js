// The form of values that hold no others.
import { bigintToString, stringSlice, stringToWellFormed, stringify, symbolToString } from './primordials.js'
import { functionName, quote } from './reading.js'
import { pathText, refuse } from './json-refusal.js'

/** Members that were undefined: this many are named, each by so much of its path. */
const ABSENT_NAMED = 3
const ABSENT_PATH_CHARS = 200
/** About 19,700 digits. */
const BIGINT_BITS = 65_536n

/** JSON has none, and `null` does not tell that a field was looked for in vain. */
export function writeUndefined(writer) {
  writer.text += 'null'
  writer.absent += 1
  if (writer.absent > ABSENT_NAMED) return
  const place = writer.path === undefined ? '$' : stringSlice(pathText(writer.path), 0, ABSENT_PATH_CHARS)
  writer.absentAt += writer.absentAt === '' ? place : `, ${place}`
}

export function writeString(writer, text) {
  // Escapes only make it longer: what is over the limit unescaped need not be escaped first.
  const room = writer.limit - writer.text.length
  if (text.length > room) {
    writer.problem = 'size'
    // Of a line of the log the beginning is shown.
    writer.text += stringify(stringToWellFormed(stringSlice(text, 0, room)))
    return
  }
  writer.text += stringify(stringToWellFormed(text))
}

export function writeNumber(writer, number) {
  if (number - number === 0) {
    // Adding 0 turns -0 into 0, as JSON does.
    writer.text += number + 0
    return
  }
  if (writer.strict) {
    refuse(writer, `is ${number}, which JSON cannot carry; give a finite number or null`)
    return
  }
  writer.text += `{"$number":"${number}"}`
}

export function writeBigint(writer, value) {
  if (writer.strict) {
    refuse(writer, 'is a BigInt; give Number(value) or String(value)')
    return
  }
  // The decimal form of a huge one takes longer than a whole run may.
  const size = value < 0n ? -value : value
  if (size >> BIGINT_BITS !== 0n) writer.text += '{"$bigint":"too long to show"}'
  else writer.text += `{"$bigint":"${bigintToString(value)}"}`
}

export function writeSymbol(writer, value) {
  if (writer.strict) refuse(writer, 'is a symbol; give a string')
  else writer.text += `{"$symbol":${quote(symbolToString(value))}}`
}

export function writeFunction(writer, value) {
  if (writer.strict) refuse(writer, 'is a function; call it and give its result')
  else writer.text += `{"$function":${quote(functionName(value))}}`
}
