// The one JSON form of every value that leaves a program; the table is in bridge/README.md. It writes text directly and
// stops at a limit, so that a value of any size costs what is written of it.
import {
  StringCtor,
  Uint8ArrayCtor,
  bigintToString,
  bigintValueOf,
  booleanValueOf,
  bufferByteLength,
  dateGetTime,
  dateToISOString,
  define,
  functionToString,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  isEnumerable,
  isError,
  arrayPrototype,
  apply,
  mapForEach,
  mapSize,
  numberValueOf,
  objectPrototype,
  ownKeys,
  promiseThen,
  regexpFlags,
  regexpSource,
  setForEach,
  setSize,
  stringCharCodeAt,
  stringSlice,
  stringToWellFormed,
  stringValueOf,
  stringify,
  symbolToString,
  typedArrayLength,
  typedArrayTag,
  viewBuffer,
  viewByteLength,
  viewByteOffset,
  weakMapGet,
  weakMapHas,
} from './primordials.js'

const TAGS = {
  __proto__: null,
  $number: true,
  $bigint: true,
  $invalid: true,
  $map: true,
  $set: true,
  $typed: true,
  $cycle: true,
  $threw: true,
  $class: true,
  $function: true,
  $symbol: true,
  $error: true,
  $regexp: true,
  $promise: true,
}
const NAME_CHARS = 128
const DOLLAR = 36

/**
 * `value` mode writes a tagged form for what JSON cannot carry. `strict` mode is for arguments: it refuses such values
 * with a message that says where and what to do, and leaves out keys whose value is undefined.
 * @param {unknown} value
 * @param {{ mode: 'value' | 'strict', limit: number, depth: number, settled: WeakMap<object, unknown> | undefined }} options
 * @returns {{ text: string, problem: undefined | 'size' | 'depth' | 'refused', message: string, pending: object | undefined }}
 *   `pending` is a promise that was met and is not in `settled`
 */
export function toJsonForm(value, options) {
  const writer = {
    __proto__: null,
    text: '',
    problem: undefined,
    message: '',
    pending: undefined,
    strict: options.mode === 'strict',
    limit: options.limit,
    depth: options.depth,
    settled: options.settled,
    parents: undefined,
    path: undefined,
  }
  writeValue(writer, value, 0)
  if (writer.problem === undefined && writer.text.length > writer.limit) writer.problem = 'size'
  return writer
}

function writeValue(writer, value, depth) {
  if (writer.problem !== undefined) return
  if (writer.text.length > writer.limit) {
    writer.problem = 'size'
    return
  }
  if (value === null) {
    writer.text += 'null'
    return
  }
  switch (typeof value) {
    case 'string':
      writeString(writer, value)
      return
    case 'boolean':
      writer.text += value ? 'true' : 'false'
      return
    case 'number':
      writeNumber(writer, value)
      return
    case 'undefined':
      writer.text += 'null'
      return
    case 'object':
      writeObject(writer, value, depth)
      return
    default:
      writeOddPrimitive(writer, value)
  }
}

function writeString(writer, text) {
  // Escapes only make it longer: what is over the limit unescaped need not be escaped first.
  if (text.length > writer.limit - writer.text.length) {
    writer.problem = 'size'
    return
  }
  writer.text += stringify(stringToWellFormed(text))
}

function writeNumber(writer, number) {
  if (number - number === 0) {
    // Adding 0 turns -0 into 0, as JSON does.
    writer.text += number + 0
    return
  }
  if (writer.strict) return refuse(writer, `is ${number}, which JSON cannot carry; give a finite number or null`)
  writer.text += `{"$number":"${number}"}`
}

function writeOddPrimitive(writer, value) {
  if (typeof value === 'bigint') {
    if (writer.strict) return refuse(writer, 'is a BigInt; give Number(value) or String(value)')
    // 2^(4 * limit) has more digits than the limit: not worth the time that its decimal form takes.
    const size = value < 0n ? -value : value
    if (size >> 65536n !== 0n) writer.text += '{"$bigint":"more than 19728 digits"}'
    else writer.text += `{"$bigint":"${bigintToString(value)}"}`
    return
  }
  if (typeof value === 'symbol') {
    if (writer.strict) return refuse(writer, 'is a symbol; give a string')
    writer.text += `{"$symbol":${quote(symbolToString(value))}}`
    return
  }
  if (writer.strict) return refuse(writer, 'is a function; call it and give its result')
  writer.text += `{"$function":${quote(functionName(value))}}`
}

function writeObject(writer, value, depth) {
  if (depth >= writer.depth) {
    writer.problem = 'depth'
    return
  }
  for (let parent = writer.parents; parent !== undefined; parent = parent.next) {
    if (parent.value !== value) continue
    if (writer.strict) return refuse(writer, 'contains itself; give plain data without cycles')
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
  if (prototype.threw) return writeThrown(writer, prototype.error)
  const isPlain = prototype.value === objectPrototype || prototype.value === null
  if (isArray(value)) {
    if (prototype.value === arrayPrototype || !writeOwnJson(writer, value, depth)) writeArray(writer, value, depth)
    return
  }
  if (!isPlain && writeBuiltIn(writer, value, depth)) return
  if (writeOwnJson(writer, value, depth)) return
  writeProperties(writer, value, depth, isPlain || writer.strict ? undefined : className(value))
}

/** A `toJSON` of the program is called once; what it gives is written without asking again. */
function writeOwnJson(writer, value, depth) {
  const method = read(() => value.toJSON)
  if (method.threw) return writeThrown(writer, method.error)
  if (typeof method.value !== 'function') return false
  const json = read(() => apply(method.value, value, ['']))
  if (json.threw) return writeThrown(writer, json.error)
  const inner = json.value
  if (inner === value) return false
  if (typeof inner === 'object' && inner !== null && !isArray(inner)) {
    const prototype = read(() => getPrototypeOf(inner))
    if (!prototype.threw && (prototype.value === objectPrototype || prototype.value === null)) {
      if (depth + 1 >= writer.depth) writer.problem = 'depth'
      else writeProperties(writer, inner, depth + 1, undefined)
      return true
    }
  }
  writeValue(writer, inner, depth + 1)
  return true
}

function writeArray(writer, array, depth) {
  const length = read(() => array.length)
  if (length.threw) return writeThrown(writer, length.error)
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
  writer.text += ']'
}

function writeProperties(writer, value, depth, name) {
  const keys = read(() => ownKeys(value))
  if (keys.threw) return writeThrown(writer, keys.error)
  let separator = '{'
  if (name !== undefined) {
    writer.text += `{"$class":${quote(name)}`
    separator = ','
  }
  const outer = writer.path
  for (let index = 0; index < keys.value.length && writer.problem === undefined; index++) {
    const key = keys.value[index]
    if (typeof key !== 'string') continue
    const property = read(() => (isEnumerable(value, key) ? { __proto__: null, value: value[key] } : undefined))
    if (!property.threw && property.value === undefined) continue
    const inner = property.threw ? undefined : property.value.value
    // In arguments an undefined key means "not given", as in JSON.stringify.
    if (writer.strict && !property.threw && inner === undefined) continue
    writer.path = { __proto__: null, key, next: outer }
    writer.text += separator
    writeString(writer, writer.strict || !looksLikeTag(key) ? key : `$${key}`)
    writer.text += ':'
    separator = ','
    if (property.threw) writeThrown(writer, property.error)
    else writeValue(writer, inner, depth + 1)
  }
  writer.path = outer
  writer.text += separator === '{' ? '{}' : '}'
}

/** A key of the program's own that reads like one of our tags gets one more `$`, so that no form has two readings. */
function looksLikeTag(key) {
  if (stringCharCodeAt(key, 0) !== DOLLAR) return false
  let start = 0
  while (stringCharCodeAt(key, start + 1) === DOLLAR) start++
  return TAGS[stringSlice(key, start)] === true
}

/** @returns {boolean} whether it was one of the language's own kinds of object */
function writeBuiltIn(writer, value, depth) {
  if (isError(value)) return writeError(writer, value, depth)
  if (brand(() => dateGetTime(value))) return writeDate(writer, value)
  if (brand(() => mapSize(value))) return writeMap(writer, value, depth)
  if (brand(() => setSize(value))) return writeSet(writer, value, depth)
  if (typedArrayTag(value) !== undefined) return writeTyped(writer, value, typedArrayTag(value))
  if (brand(() => bufferByteLength(value))) return writeTyped(writer, new Uint8ArrayCtor(value), 'ArrayBuffer')
  if (brand(() => viewByteLength(value))) {
    const bytes = new Uint8ArrayCtor(viewBuffer(value), viewByteOffset(value), viewByteLength(value))
    return writeTyped(writer, bytes, 'DataView')
  }
  if (getOwnPropertyDescriptor(value, 'lastIndex') !== undefined && brand(() => regexpSource(value))) {
    if (writer.strict) return refuse(writer, 'is a regular expression; give its source as a string')
    writer.text += `{"$regexp":${quote(`/${regexpSource(value)}/${regexpFlags(value)}`)}}`
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

function writeMap(writer, map, depth) {
  if (writer.strict) return refuse(writer, 'is a Map; give Object.fromEntries(map)')
  writer.text += '{"$map":['
  let isFirst = true
  mapForEach(map, (value, key) => {
    if (writer.problem !== undefined) return
    writer.text += isFirst ? '[' : ',['
    isFirst = false
    writeValue(writer, key, depth + 1)
    writer.text += ','
    writeValue(writer, value, depth + 1)
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
    writeValue(writer, value, depth + 1)
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
    writeValue(writer, array[index], 0)
  }
  writer.text += ']}'
  return true
}

function writeError(writer, error, depth) {
  if (writer.strict) return refuse(writer, 'is an Error; give its message')
  writer.text += '{"$error":'
  const shown = { __proto__: null }
  define(
    shown,
    'name',
    textOf(() => error.name, 'Error', NAME_CHARS),
    true,
  )
  define(
    shown,
    'message',
    textOf(() => error.message, '', writer.limit),
    true,
  )
  const keys = read(() => ownKeys(error))
  for (let index = 0; !keys.threw && index < keys.value.length; index++) {
    const key = keys.value[index]
    if (typeof key !== 'string' || key === 'stack' || key === 'name' || key === 'message') continue
    const property = read(() => (isEnumerable(error, key) ? error[key] : undefined))
    if (!property.threw && property.value !== undefined) define(shown, key, property.value, true)
  }
  writeProperties(writer, shown, depth, undefined)
  writer.text += '}'
  return true
}

function writePromise(writer, value, depth) {
  if (writer.settled !== undefined && weakMapHas(writer.settled, value)) {
    writeValue(writer, weakMapGet(writer.settled, value), depth)
    return true
  }
  // Only a promise of this realm takes a handler from the captured `then`.
  if (!brand(() => promiseThen(value, undefined, () => undefined))) return false
  if (writer.strict) return refuse(writer, 'is a promise; await it first')
  if (writer.settled !== undefined) writer.pending ??= value
  writer.text += '{"$promise":"not awaited"}'
  return true
}

function writeBoxed(writer, value, depth) {
  const unboxed = unbox(value)
  if (unboxed === undefined) return false
  writeValue(writer, unboxed, depth)
  return true
}

function unbox(value) {
  let inner
  if (brand(() => (inner = numberValueOf(value)))) return inner
  if (brand(() => (inner = stringValueOf(value)))) return inner
  if (brand(() => (inner = booleanValueOf(value)))) return inner
  if (brand(() => (inner = bigintValueOf(value)))) return inner
  return undefined
}

function writeThrown(writer, error) {
  if (writer.strict) return refuse(writer, `threw while it was read: ${describeThrown(error, 200)}`)
  writer.text += `{"$threw":${quote(describeThrown(error, 200))}}`
  return true
}

function refuse(writer, message) {
  writer.problem = 'refused'
  writer.message = `${writer.path === undefined ? 'the value' : pathText(writer.path)} ${message}`
  return true
}

/** What a program threw, as text, whatever it is and whatever its getters do. */
export function describeThrown(error, limit) {
  if (typeof error === 'string') return stringToWellFormed(stringSlice(error, 0, limit))
  if (typeof error !== 'object' || error === null) return primitiveText(error)
  if (isError(error)) {
    const name = textOf(() => error.name, 'Error', NAME_CHARS)
    const message = textOf(() => error.message, '', limit)
    return message === '' ? name : `${name}: ${message}`
  }
  const form = toJsonForm(error, { mode: 'value', limit, depth: 4, settled: undefined })
  return form.problem === undefined ? form.text : 'an object that is too large to show'
}

export function primitiveText(value) {
  if (typeof value === 'symbol') return stringSlice(symbolToString(value), 0, NAME_CHARS)
  if (typeof value === 'function') return `[function ${functionName(value)}]`
  if (typeof value === 'bigint') return value >> 65536n === 0n || value >> 65536n === -1n ? `${value}n` : 'a BigInt'
  return StringCtor(value)
}

/** A text property that may be missing, a getter, or something else than text. */
export function textOf(get, fallback, limit) {
  const result = read(get)
  if (result.threw || typeof result.value !== 'string') return fallback
  return stringToWellFormed(stringSlice(result.value, 0, limit))
}

/** Reads what may be a getter or a proxy. */
export function read(get) {
  try {
    return { __proto__: null, threw: false, value: get(), error: undefined }
  } catch (error) {
    return { __proto__: null, threw: true, value: undefined, error }
  }
}

function brand(probe) {
  try {
    probe()
    return true
  } catch {
    return false
  }
}

function className(value) {
  const name = textOf(() => value.constructor.name, '', NAME_CHARS)
  return name === '' ? 'Object' : name
}

function functionName(value) {
  const own = read(() => getOwnPropertyDescriptor(value, 'name'))
  if (!own.threw && own.value !== undefined && typeof own.value.value === 'string') {
    return stringSlice(own.value.value, 0, NAME_CHARS)
  }
  return read(() => functionToString(value)).threw ? 'proxy' : ''
}

function quote(text) {
  return stringify(stringToWellFormed(text))
}

function pathText(path) {
  const own = typeof path.key === 'number' ? `[${path.key}]` : `.${stringSlice(path.key, 0, NAME_CHARS)}`
  return (path.next === undefined ? '$' : pathText(path.next)) + own
}
