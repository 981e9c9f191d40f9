// The one JSON form of every value that leaves a program; the table is in bridge/README.md. It writes text directly and
// stops at a limit, so that a value of any size costs what is written of it.
import {
  apply,
  arrayPrototype,
  getPrototypeOf,
  hitPrototype,
  isArray,
  isEnumerable,
  objectPrototype,
  ownKeys,
} from './primordials.js'
import { className, isHeld, keepRead, keptReads, quote, read } from './reading.js'
import { pathText, refuse, writeThrown } from './json-refusal.js'
import { writeBuiltIn } from './json-builtins.js'
import { writeBare, writeNamedItems, writeSymbols } from './json-bare.js'
import { writeBigint, writeFunction, writeNumber, writeString, writeSymbol, writeUndefined } from './json-scalars.js'
import { looksLikeTag } from './json-tags.js'

/**
 * `value` mode writes a tagged form for what JSON cannot carry. `strict` mode is for arguments: it refuses such values
 * with a message that says where and what to do, and leaves out keys whose value is undefined.
 * @param {unknown} value
 * @param {{ mode: 'value' | 'strict', limit: number, depth: number, settled: WeakMap<object, unknown> | undefined, reads: WeakMap<object, object> | undefined }} options
 * @returns {{ text: string, problem: undefined | 'size' | 'depth' | 'refused', message: string, pending: object | undefined, absent: number, absentAt: string }}
 *   `pending` is a promise that was met and is not in `settled`; `absent` is how many values were undefined, `absentAt`
 *   where the first of them stood
 */
export function toJsonForm(value, options) {
  const writer = {
    __proto__: null,
    text: '',
    problem: undefined,
    message: '',
    pending: undefined,
    absent: 0,
    absentAt: '',
    unsettled: 0,
    strict: options.mode === 'strict',
    limit: options.limit,
    depth: options.depth,
    settled: options.settled,
    reads: options.reads,
    parents: undefined,
    path: undefined,
    isInstance: false,
    writeValue,
    writeProperties,
  }
  writeValue(writer, value, 0)
  if (writer.problem === undefined && writer.text.length > writer.limit) writer.problem = 'size'
  return writer
}

function writeValue(writer, value, depth) {
  if (writer.problem !== undefined) return undefined
  if (writer.text.length > writer.limit) {
    writer.problem = 'size'
    return undefined
  }
  if (value === null) {
    writer.text += 'null'
    return undefined
  }
  switch (typeof value) {
    case 'string':
      return writeString(writer, value)
    case 'boolean':
      writer.text += value ? 'true' : 'false'
      return undefined
    case 'number':
      return writeNumber(writer, value)
    case 'undefined':
      return writeUndefined(writer)
    case 'object':
      return writeObject(writer, value, depth)
    case 'bigint':
      return writeBigint(writer, value)
    case 'symbol':
      return writeSymbol(writer, value)
    case 'function':
      return writeFunction(writer, value)
  }
}

function writeObject(writer, value, depth) {
  if (depth >= writer.depth) {
    writer.problem = 'depth'
    return
  }
  for (let parent = writer.parents; parent !== undefined; parent = parent.next) {
    if (parent.value !== value) continue
    if (writer.strict) {
      refuse(writer, 'contains itself; give plain data without cycles')
      return
    }
    writer.text += `{"$cycle":${quote(parent.path === undefined ? '$' : pathText(parent.path))}}`
    return
  }
  const outer = writer.parents
  writer.parents = { __proto__: null, value, path: writer.path, next: outer }
  writeStructure(writer, value, depth)
  writer.parents = outer
}

function writeStructure(writer, value, depth) {
  const prototype = read(() => getPrototypeOf(value))
  if (prototype.threw) {
    writeThrown(writer, prototype.error)
    return
  }
  const isPlain = isPlainPrototype(prototype.value)
  if (isArray(value)) {
    if (prototype.value === arrayPrototype || !writeOwnJson(writer, value, depth)) writeArray(writer, value, depth)
    return
  }
  if (!isPlain && writeBuiltIn(writer, value, depth)) return
  if (writeOwnJson(writer, value, depth)) return
  writer.isInstance = !isPlain
  writeProperties(writer, value, depth)
}

function isPlainPrototype(prototype) {
  return prototype === objectPrototype || prototype === null || prototype === hitPrototype
}

/** A `toJSON` of the program is called once; what it gives is written without asking again. */
function writeOwnJson(writer, value, depth) {
  const method = read(() => value.toJSON)
  if (method.threw) return writeThrown(writer, method.error)
  if (typeof method.value !== 'function') return false
  const kept = keptReads(writer.reads, value)
  const json =
    kept !== undefined && 'toJSON' in kept
      ? { __proto__: null, threw: false, value: kept.toJSON, error: undefined }
      : read(() => apply(method.value, value, ['']))
  if (json.threw) return writeThrown(writer, json.error)
  const inner = json.value
  if (inner === value) return false
  const { unsettled } = writer
  writeGiven(writer, inner, depth)
  if (writer.reads !== undefined && writer.unsettled !== unsettled)
    keepRead(writer.reads, value, { key: 'toJSON', value: inner })
  return true
}

/** What `toJSON` gave. */
function writeGiven(writer, inner, depth) {
  if (typeof inner === 'object' && inner !== null && !isArray(inner)) {
    const prototype = read(() => getPrototypeOf(inner))
    if (!prototype.threw && isPlainPrototype(prototype.value)) {
      if (depth + 1 >= writer.depth) writer.problem = 'depth'
      else writeProperties(writer, inner, depth + 1)
      return
    }
  }
  writeValue(writer, inner, depth + 1)
}

function writeArray(writer, array, depth) {
  // A proxy's may be anything: making a number of it runs the program's code.
  const length = read(() => array.length - 0)
  if (length.threw) {
    writeThrown(writer, length.error)
    return
  }
  if (length.value === 0 && writeNamedItems(writer, array, depth)) return
  writer.text += '['
  const outer = writer.path
  for (let index = 0; index < length.value && writer.problem === undefined; index++) {
    if (index > 0) writer.text += ','
    writer.path = { __proto__: null, key: index, next: outer }
    const item = read(() => array[index])
    if (item.threw) writeThrown(writer, item.error)
    else writeValue(writer, item.value, depth + 1)
  }
  writer.path = outer
  if (writer.problem === undefined) writer.text += ']'
}

function writeProperties(writer, value, depth) {
  const isInstance = writer.isInstance
  writer.isInstance = false
  const keys = read(() => ownKeys(value))
  if (keys.threw) {
    writeThrown(writer, keys.error)
    return
  }
  const start = isInstance && !writer.strict ? `{"$class":${quote(className(value))},` : '{'
  let separator = start
  let isBare = true
  let hasSymbols = false
  const kept = keptReads(writer.reads, value)
  const outer = writer.path
  for (let index = 0; index < keys.value.length && writer.problem === undefined; index++) {
    const key = keys.value[index]
    if (typeof key !== 'string') {
      hasSymbols = true
      continue
    }
    const isKept = kept !== undefined && key in kept
    const property = read(() =>
      isEnumerable(value, key) ? { __proto__: null, value: isKept ? kept[key] : value[key] } : undefined,
    )
    if (!property.threw && property.value === undefined) continue
    isBare = false
    const inner = property.threw ? undefined : property.value.value
    // In arguments an undefined key means "not given", as in JSON.stringify.
    if (writer.strict && !property.threw && inner === undefined) continue
    writer.path = { __proto__: null, key, next: outer }
    writer.text += separator
    writeString(writer, writer.strict || !looksLikeTag(key) ? key : `$${key}`)
    writer.text += ':'
    separator = ','
    const { unsettled } = writer
    if (property.threw) writeThrown(writer, property.error)
    else writeValue(writer, inner, depth + 1)
    if (writer.reads !== undefined && writer.unsettled !== unsettled && !isHeld(value, key, inner))
      keepRead(writer.reads, value, { key, value: inner })
  }
  writer.path = outer
  if (writer.problem !== undefined) return
  if (hasSymbols && writeSymbols(writer, value, { keys: keys.value, separator, depth })) separator = ','
  if (separator !== start) writer.text += '}'
  else if (isBare) writeBare(writer, value, { keys: keys.value, isInstance })
  else writer.text += '{}'
}
