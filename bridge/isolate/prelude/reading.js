// Reading what may be a getter, a proxy, or not what it says.
import {
  StringCtor,
  functionToString,
  getOwnPropertyDescriptor,
  setPrototypeOf,
  stringIncludes,
  stringSlice,
  stringToWellFormed,
  stringify,
  symbolToString,
  toStringTag,
  weakMapGet,
  weakMapSet,
} from './primordials.js'

const NAME_CHARS = 128
/** Names that the language itself, or code that looks at values of any kind, asks an object for. */
const RESERVED =
  ' then catch finally toJSON constructor prototype __proto__ toString valueOf toLocaleString hasOwnProperty ' +
  'isPrototypeOf propertyIsEnumerable apply bind caller arguments '

export function isReserved(key) {
  return typeof key !== 'string' || (!stringIncludes(key, ' ') && stringIncludes(RESERVED, ` ${key} `))
}

/** A property of the object itself, never one that a program put on `Object.prototype`. */
export function own(object, key) {
  if (typeof object !== 'object' || object === null) return undefined
  const descriptor = getOwnPropertyDescriptor(object, key)
  // Without its prototype: a getter's has no value, and `Object.prototype.value` is not it.
  return descriptor === undefined ? undefined : setPrototypeOf(descriptor, null).value
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

/** What getters and `toJSON` of an object gave in an earlier round, where there were promises in it. */
export function keptReads(reads, value) {
  return reads === undefined ? undefined : weakMapGet(reads, value)
}

/** Asked again, a getter may give another promise, and make another call: each round would wait for a new one. */
export function keepRead(reads, holder, { key, value }) {
  const kept = weakMapGet(reads, holder) ?? { __proto__: null }
  kept[key] = value
  weakMapSet(reads, holder, kept)
}

/** A member that holds it: then it is no getter's, nor what a proxy made of another. */
export function isHeld(holder, key, value) {
  const own = read(() => getOwnPropertyDescriptor(holder, key))
  return !own.threw && own.value !== undefined && setPrototypeOf(own.value, null).value === value
}

/** Iterators and the objects of namespaces have no constructor that tells; their tag does. */
export function className(value) {
  const name = textOf(() => value.constructor.name, '', NAME_CHARS)
  if (name !== '' && name !== 'Object' && name !== 'Iterator') return name
  const tag = textOf(() => value[toStringTag], '', NAME_CHARS)
  if (tag !== '') return tag
  return name === '' ? 'Object' : name
}

export function functionName(value) {
  const name = read(() => getOwnPropertyDescriptor(value, 'name'))
  if (!name.threw && name.value !== undefined) {
    const { value: text } = setPrototypeOf(name.value, null)
    if (typeof text === 'string') return stringSlice(text, 0, NAME_CHARS)
  }
  return read(() => functionToString(value)).threw ? 'proxy' : ''
}

export function quote(text) {
  return stringify(stringToWellFormed(text))
}
