// Everything that the prelude uses of the language, taken before the program runs. A program may patch any prototype:
// it then breaks its own code, never ours. Rules of this folder, for the same reason: no `for … of`, no spread and no
// array destructuring (they look up `Symbol.iterator`), no assignment to an index of an array (a setter on
// `Array.prototype` would see it), objects that we keep have no prototype, and no method of a value is called by name.

export const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect
export const { freeze, create, setPrototypeOf } = Object

/** @type {<F extends (...args: any[]) => any>(method: F) => (self: any, ...args: any[]) => any} */
export const uncurry =
  (method) =>
  (self, ...args) =>
    apply(method, self, args)

export const ArrayCtor = Array
export const ErrorCtor = Error
export const PromiseCtor = Promise
export const RangeErrorCtor = RangeError
export const SetCtor = Set
export const StringCtor = String
export const TypeErrorCtor = TypeError
export const WeakMapCtor = WeakMap
export const ProxyCtor = Proxy
export const AsyncFunctionCtor = getPrototypeOf(async () => {}).constructor

export const objectPrototype = Object.prototype
export const arrayPrototype = Array.prototype

export const isArray = Array.isArray
export const isError = Error.isError
export const isInteger = Number.isInteger
export const { parse, stringify } = JSON
export const { floor, min, max, imul } = Math

export const promiseThen = uncurry(Promise.prototype.then)
export const arraySlice = uncurry(Array.prototype.slice)
export const stringSlice = uncurry(String.prototype.slice)
export const stringIncludes = uncurry(String.prototype.includes)
export const stringCharCodeAt = uncurry(String.prototype.charCodeAt)
export const stringToWellFormed = uncurry(String.prototype.toWellFormed)
export const functionToString = uncurry(Function.prototype.toString)
export const mapForEach = uncurry(Map.prototype.forEach)
export const setForEach = uncurry(Set.prototype.forEach)
export const weakMapGet = uncurry(WeakMap.prototype.get)
export const weakMapSet = uncurry(WeakMap.prototype.set)
export const weakMapHas = uncurry(WeakMap.prototype.has)
export const dateGetTime = uncurry(Date.prototype.getTime)
export const dateToISOString = uncurry(Date.prototype.toISOString)
export const isEnumerable = uncurry(Object.prototype.propertyIsEnumerable)
export const objectToString = uncurry(Object.prototype.toString)
export const numberValueOf = uncurry(Number.prototype.valueOf)
export const stringValueOf = uncurry(String.prototype.valueOf)
export const booleanValueOf = uncurry(Boolean.prototype.valueOf)
export const bigintValueOf = uncurry(BigInt.prototype.valueOf)
export const bigintToString = uncurry(BigInt.prototype.toString)
export const symbolToString = uncurry(Symbol.prototype.toString)

const typedArrayPrototype = getPrototypeOf(Uint8Array.prototype)
export const mapSize = getter(Map.prototype, 'size')
export const setSize = getter(Set.prototype, 'size')
export const typedArrayTag = getter(typedArrayPrototype, Symbol.toStringTag)
export const typedArrayLength = getter(typedArrayPrototype, 'length')
export const bufferByteLength = getter(ArrayBuffer.prototype, 'byteLength')
export const viewByteLength = getter(DataView.prototype, 'byteLength')
export const viewByteOffset = getter(DataView.prototype, 'byteOffset')
export const viewBuffer = getter(DataView.prototype, 'buffer')
export const regexpSource = getter(RegExp.prototype, 'source')
export const regexpFlags = getter(RegExp.prototype, 'flags')
export const Uint8ArrayCtor = Uint8Array

/** A property without a prototype in its descriptor: `Object.prototype.get` must not become part of it. */
export function define(target, key, value, enumerable = false) {
  return defineProperty(target, key, {
    __proto__: null,
    value,
    enumerable,
    writable: true,
    configurable: true,
  })
}

/** A frozen one: what a program can neither replace nor delete. */
export function defineFixed(target, key, value) {
  return defineProperty(target, key, { __proto__: null, value, enumerable: true, writable: false, configurable: false })
}

/** Handlers on a promise of this realm, without asking its prototype or its constructor. */
export function whenSettled(promise, fulfilled, rejected) {
  define(promise, 'constructor', PromiseCtor)
  const next = promiseThen(promise, fulfilled, rejected)
  return next
}

function getter(prototype, key) {
  return uncurry(getOwnPropertyDescriptor(prototype, key).get)
}
