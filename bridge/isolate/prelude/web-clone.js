// structuredClone, for the kinds of value that the language itself has.
import {
  ErrorCtor,
  Uint8ArrayCtor,
  apply,
  bufferByteLength,
  construct,
  dateGetTime,
  define,
  getOwnPropertyDescriptor,
  isArray,
  isEnumerable,
  isError,
  mapForEach,
  mapGet,
  mapHas,
  mapSet,
  mapSize,
  ownKeys,
  regexpFlags,
  regexpSource,
  setAdd,
  setForEach,
  setSize,
  typedArrayBuffer,
  typedArrayByteOffset,
  typedArrayLength,
  typedArrayTag,
  viewBuffer,
  viewByteLength,
  viewByteOffset,
  put,
} from './primordials.js'

const { Date: DateCtor, Map: MapCtor, Set: SetCtor, RegExp: RegExpCtor, DataView: DataViewCtor } = globalThis
const ViewCtors = {
  __proto__: null,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  Float16Array,
  Float32Array,
  Float64Array,
}
const ErrorCtors = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }

export function structuredClone(value) {
  return clone(value, new MapCtor())
}

function clone(value, seen) {
  if (typeof value === 'function' || typeof value === 'symbol') throw uncloneable(typeof value)
  if (typeof value !== 'object' || value === null) return value
  if (mapHas(seen, value)) return mapGet(seen, value)
  const copy = isArray(value) ? emptyArray(value.length) : cloneBuiltIn(value, seen)
  if (copy !== undefined && !isArray(value)) return copy
  const target = copy === undefined ? {} : copy
  mapSet(seen, value, target)
  const keys = ownKeys(value)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]
    if (typeof key === 'string' && isEnumerable(value, key)) put(target, key, clone(value[key], seen))
  }
  return target
}

/** @returns the copy, or undefined for a plain object or an instance of a class */
function cloneBuiltIn(value, seen) {
  if (isError(value)) return cloneError(value, seen)
  if (is(dateGetTime, value)) return remember(seen, value, new DateCtor(dateGetTime(value)))
  if (is(mapSize, value)) {
    const copy = remember(seen, value, new MapCtor())
    mapForEach(value, (item, key) => mapSet(copy, clone(key, seen), clone(item, seen)))
    return copy
  }
  if (is(setSize, value)) {
    const copy = remember(seen, value, new SetCtor())
    setForEach(value, (item) => setAdd(copy, clone(item, seen)))
    return copy
  }
  const name = typedArrayTag(value)
  if (name !== undefined) {
    const buffer = clone(typedArrayBuffer(value), seen)
    const parts = [buffer, typedArrayByteOffset(value), typedArrayLength(value)]
    return remember(seen, value, construct(ViewCtors[name], parts))
  }
  if (is(bufferByteLength, value)) return remember(seen, value, copiedBuffer(value))
  if (is(viewByteLength, value)) {
    const buffer = clone(viewBuffer(value), seen)
    return remember(seen, value, new DataViewCtor(buffer, viewByteOffset(value), viewByteLength(value)))
  }
  if (getOwnPropertyDescriptor(value, 'lastIndex') !== undefined && is(regexpSource, value)) {
    return remember(seen, value, new RegExpCtor(regexpSource(value), regexpFlags(value)))
  }
  return undefined
}

/** By a list of its bytes: `slice` would ask a program's `ArrayBuffer[Symbol.species]` for the copy. */
function copiedBuffer(buffer) {
  return typedArrayBuffer(new Uint8ArrayCtor(new Uint8ArrayCtor(buffer)))
}

function cloneError(value, seen) {
  const name = ErrorCtors[value.name] === undefined ? 'Error' : value.name
  const copy = remember(seen, value, construct(ErrorCtors[name], [`${value.message}`]))
  if (value.cause !== undefined) define(copy, 'cause', clone(value.cause, seen))
  return copy
}

function emptyArray(length) {
  const array = []
  array.length = length
  return array
}

function is(read, value) {
  try {
    apply(read, undefined, [value])
    return true
  } catch {
    return false
  }
}

function remember(seen, value, copy) {
  mapSet(seen, value, copy)
  return copy
}

function uncloneable(type) {
  const error = new ErrorCtor(`a ${type} cannot be cloned`)
  define(error, 'name', 'DataCloneError')
  return error
}
