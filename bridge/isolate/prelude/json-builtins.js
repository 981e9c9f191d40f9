// The JSON form of the language's own kinds of object.
import {
  Uint8ArrayCtor,
  bigintValueOf,
  booleanValueOf,
  bufferByteLength,
  dateGetTime,
  dateToISOString,
  getOwnPropertyDescriptor,
  isError,
  mapForEach,
  mapSize,
  numberValueOf,
  ownKeys,
  promiseThen,
  put,
  regexpFlags,
  regexpSource,
  setForEach,
  setSize,
  stringValueOf,
  symbolValueOf,
  typedArrayLength,
  typedArrayTag,
  viewBuffer,
  viewByteLength,
  viewByteOffset,
  weakMapGet,
  weakMapHas,
} from './primordials.js'
import { quote, read, textOf } from './reading.js'
import { refuse } from './json-refusal.js'

const NAME_CHARS = 128
/** Asking for the flags asks for each of them by name, which a program may have made a getter. */
const FLAGS_CHARS = 16

/**
 * Depth is that of the JSON: a tag is an object around its contents, so that no form is deeper than the wire lets through.
 * @returns {boolean} whether it was one of the language's own kinds of object
 */
export function writeBuiltIn(writer, value, depth) {
  if (isError(value)) return writeError(writer, value, depth)
  if (brand(() => dateGetTime(value))) return writeDate(writer, value)
  if (brand(() => mapSize(value))) return writeMap(writer, value, depth)
  if (brand(() => setSize(value))) return writeSet(writer, value, depth)
  if (typedArrayTag(value) !== undefined) return writeTyped(writer, value, typedArrayTag(value))
  if (brand(() => bufferByteLength(value))) return writeTyped(writer, bytesOf(value), 'ArrayBuffer')
  if (brand(() => viewByteLength(value))) {
    const bytes = new Uint8ArrayCtor(viewBuffer(value), viewByteOffset(value), viewByteLength(value))
    return writeTyped(writer, bytes, 'DataView')
  }
  if (getOwnPropertyDescriptor(value, 'lastIndex') !== undefined && brand(() => regexpSource(value))) {
    if (writer.strict) return refuse(writer, 'is a regular expression; give its source as a string')
    writer.text += `{"$regexp":${quote(`/${regexpSource(value)}/${textOf(() => regexpFlags(value), '', FLAGS_CHARS)}`)}}`
    return true
  }
  return writePromise(writer, value, depth) || writeBoxed(writer, value, depth)
}

function writeDate(writer, date) {
  const time = dateGetTime(date)
  if (time === time) writer.text += `"${dateToISOString(date)}"`
  else if (writer.strict) refuse(writer, 'is an invalid date; give an ISO 8601 string')
  else writer.text += '{"$invalid":"Date"}'
  return true
}

/** One that was transferred has none, and no view of it can be made. */
function bytesOf(buffer) {
  const view = read(() => new Uint8ArrayCtor(buffer))
  return view.threw ? new Uint8ArrayCtor(0) : view.value
}

function writeMap(writer, map, depth) {
  if (writer.strict) return refuse(writer, 'is a Map; give Object.fromEntries(map)')
  writer.text += '{"$map":['
  let isFirst = true
  mapForEach(map, (value, key) => {
    if (writer.problem !== undefined) return
    writer.text += isFirst ? '[' : ',['
    isFirst = false
    writer.writeValue(writer, key, depth + 3)
    writer.text += ','
    writer.writeValue(writer, value, depth + 3)
    writer.text += ']'
  })
  writer.text += ']}'
  return true
}

function writeSet(writer, set, depth) {
  if (writer.strict) return refuse(writer, 'is a Set; give Array.from(set)')
  writer.text += '{"$set":['
  let isFirst = true
  setForEach(set, (value) => {
    if (writer.problem !== undefined) return
    if (!isFirst) writer.text += ','
    isFirst = false
    writer.writeValue(writer, value, depth + 2)
  })
  writer.text += ']}'
  return true
}

function writeTyped(writer, array, name) {
  if (writer.strict) return refuse(writer, `is a ${name}; give Array.from(bytes) or a base64 string`)
  const length = typedArrayLength(array)
  writer.text += `{"$typed":"${name}","values":[`
  for (let index = 0; index < length && writer.problem === undefined; index++) {
    if (index > 0) writer.text += ','
    writer.writeValue(writer, array[index], 0)
  }
  writer.text += ']}'
  return true
}

function writeError(writer, error, depth) {
  if (writer.strict) return refuse(writer, 'is an Error; give its message')
  writer.text += '{"$error":'
  const shown = { __proto__: null }
  put(
    shown,
    'name',
    textOf(() => error.name, 'Error', NAME_CHARS),
  )
  put(
    shown,
    'message',
    textOf(() => error.message, '', writer.limit),
  )
  const keys = read(() => ownKeys(error))
  for (let index = 0; !keys.threw && index < keys.value.length; index++) {
    const key = keys.value[index]
    if (typeof key !== 'string' || key === 'stack' || key === 'name' || key === 'message') continue
    // Also what is not enumerable: `cause` and `errors` are not, nor is the code that a class hides.
    const property = read(() => error[key])
    if (!property.threw && property.value !== undefined) put(shown, key, property.value)
  }
  writer.writeProperties(writer, shown, depth + 1)
  writer.text += '}'
  return true
}

function writePromise(writer, value, depth) {
  if (writer.settled !== undefined && weakMapHas(writer.settled, value)) {
    writer.writeValue(writer, weakMapGet(writer.settled, value), depth)
    return true
  }
  // Only a promise of this realm takes a handler from the captured `then`.
  if (!brand(() => promiseThen(value, undefined, () => undefined))) return false
  if (writer.strict) return refuse(writer, 'is a promise; await it first')
  writer.unsettled += 1
  if (writer.settled !== undefined) writer.pending ??= value
  writer.text += '{"$promise":"not awaited"}'
  return true
}

function writeBoxed(writer, value, depth) {
  const unboxed = unbox(value)
  if (unboxed === undefined) return false
  writer.writeValue(writer, unboxed, depth)
  return true
}

function unbox(value) {
  let inner
  if (brand(() => (inner = numberValueOf(value)))) return inner
  if (brand(() => (inner = stringValueOf(value)))) return inner
  if (brand(() => (inner = booleanValueOf(value)))) return inner
  if (brand(() => (inner = bigintValueOf(value)))) return inner
  if (brand(() => (inner = symbolValueOf(value)))) return inner
  return undefined
}

function brand(probe) {
  try {
    probe()
    return true
  } catch {
    return false
  }
}
