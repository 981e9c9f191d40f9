// What would be written as `{}` or `[]` though there is something in it: symbol keys, hidden members, iterators,
// instances that keep all to themselves, lists that were used as objects. Nothing may turn into nothing in silence.
import {
  asyncIteratorPrototype,
  getPrototypeOf,
  isEnumerable,
  iteratorPrototype,
  ownKeys,
  stringSlice,
  symbolToString,
} from './primordials.js'
import { className, quote, read } from './reading.js'
import { refuse, writeThrown } from './json-refusal.js'

const NAME_CHARS = 128
const HIDDEN_NAMES = 8
/** Prototypes above an object that are looked at; a program may stack them without end. */
const CHAIN_MAX = 8

/**
 * Members whose keys are symbols, as pairs: two symbols may have one description.
 * @param {{ keys: (string | symbol)[], separator: string, depth: number }} at
 * @returns {boolean} whether anything was written
 */
export function writeSymbols(writer, value, { keys, separator, depth }) {
  const outer = writer.path
  let isFirst = true
  for (let index = 0; index < keys.length && writer.problem === undefined; index++) {
    const key = keys[index]
    if (typeof key !== 'symbol') continue
    const property = read(() => (isEnumerable(value, key) ? { __proto__: null, value: value[key] } : undefined))
    if (!property.threw && property.value === undefined) continue
    const name = stringSlice(symbolToString(key), 0, NAME_CHARS)
    if (writer.strict) return refuse(writer, `has the key ${name}, which JSON cannot carry; use a text as key`)
    writer.path = { __proto__: null, key: name, next: outer }
    writer.text += `${isFirst ? `${separator}"$symbols":[` : ','}[${quote(name)},`
    isFirst = false
    if (property.threw) writeThrown(writer, property.error)
    else writer.writeValue(writer, property.value.value, depth + 3)
    writer.text += ']'
  }
  writer.path = outer
  if (isFirst) return false
  writer.text += ']'
  return true
}

/**
 * An object without any enumerable member of its own.
 * @param {{ keys: (string | symbol)[], isInstance: boolean }} of
 */
export function writeBare(writer, value, { keys, isInstance }) {
  if (isInstance && isIterator(value)) return writeIterator(writer, value)
  const hidden = hiddenNames(keys)
  if (writer.strict) {
    if (hidden !== '') return refuse(writer, `has only members that are not enumerable (${hidden}); give plain data`)
    if (isInstance) {
      return refuse(writer, `is an instance of ${className(value)} that shows no members; give plain data`)
    }
  }
  const members = isInstance ? `"$class":${quote(className(value))}` : ''
  const separator = members !== '' && hidden !== '' ? ',' : ''
  writer.text += `{${members}${separator}${hidden === '' ? '' : `"$hidden":${quote(hidden)}`}}`
  return true
}

/** @returns {boolean} whether an empty list has members under names, and was written with them */
export function writeNamedItems(writer, array, depth) {
  const keys = read(() => ownKeys(array))
  const isNamed = (key) => typeof key === 'string' && key !== 'length' && isEnumerable(array, key)
  let hasNamed = false
  for (let index = 0; !keys.threw && index < keys.value.length && !hasNamed; index++) {
    hasNamed = read(() => isNamed(keys.value[index])).value === true
  }
  if (!hasNamed) return false
  if (writer.strict) return refuse(writer, 'is a list with names in place of items; give an object')
  writer.text += '{"$list":'
  writer.writeProperties(writer, array, depth + 1)
  writer.text += '}'
  return true
}

function writeIterator(writer, value) {
  if (writer.strict) return refuse(writer, 'is an iterator; give Array.from(iterator)')
  writer.text += `{"$iterator":${quote(className(value))}}`
  return true
}

function isIterator(value) {
  let prototype = read(() => getPrototypeOf(value))
  for (let level = 0; level < CHAIN_MAX && !prototype.threw && prototype.value !== null; level++) {
    const { value: own } = prototype
    if (own === iteratorPrototype || own === asyncIteratorPrototype) return true
    prototype = read(() => getPrototypeOf(own))
  }
  return false
}

function hiddenNames(keys) {
  let text = ''
  for (let index = 0; index < keys.length && index < HIDDEN_NAMES; index++) {
    const key = keys[index]
    text += `${index === 0 ? '' : ', '}${stringSlice(typeof key === 'symbol' ? symbolToString(key) : key, 0, NAME_CHARS)}`
  }
  return keys.length > HIDDEN_NAMES ? `${text} and ${keys.length - HIDDEN_NAMES} more` : text
}
