// Everything that the prelude uses of the language, taken before the program runs. A program may patch any prototype:
// it then breaks its own code, never ours. Rules of this folder, for the same reason: no `for … of`, no spread and no
// array destructuring (they look up `Symbol.iterator`), no assignment to an index of an array (a setter on
// `Array.prototype` would see it), objects that we keep have no prototype, and no method of a value is called by name.

export const {
  apply,
  construct,
  defineProperty,
  deleteProperty,
  get: reflectGet,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  ownKeys,
} = Reflect
export const { freeze, create, setPrototypeOf } = Object

/** A method as a function of its object, which is called whatever the object's own property of that name is. */
export const uncurry =
  (method) =>
  (self, ...args) =>
    apply(method, self, args)

export const ArrayCtor = Array
export const ErrorCtor = Error
export const MapCtor = Map
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
export const iteratorPrototype = Iterator.prototype
export const asyncIteratorPrototype = getPrototypeOf(getPrototypeOf(async function* () {}).prototype)
/** Of hits and descriptions: `tools.js` puts their methods here; to `json-form.js` they are plain. */
export const hitPrototype = create(objectPrototype)

export const isArray = Array.isArray
export const isError = Error.isError
export const isInteger = Number.isInteger
export const { parse, stringify } = JSON
export const { imul } = Math

export const promiseThen = method(Promise.prototype, 'then')
export const stringSlice = method(String.prototype, 'slice')
export const stringIncludes = method(String.prototype, 'includes')
export const stringCharCodeAt = method(String.prototype, 'charCodeAt')
export const stringToWellFormed = method(String.prototype, 'toWellFormed')
const bind = method(Function.prototype, 'bind')
export const functionToString = method(Function.prototype, 'toString')
export const mapForEach = method(Map.prototype, 'forEach')
export const mapGet = method(Map.prototype, 'get')
export const mapHas = method(Map.prototype, 'has')
export const mapSet = method(Map.prototype, 'set')
export const setAdd = method(Set.prototype, 'add')
export const setForEach = method(Set.prototype, 'forEach')
export const weakMapGet = method(WeakMap.prototype, 'get')
export const weakMapSet = method(WeakMap.prototype, 'set')
export const weakMapHas = method(WeakMap.prototype, 'has')
export const dateGetTime = method(Date.prototype, 'getTime')
export const dateToISOString = method(Date.prototype, 'toISOString')
export const isEnumerable = method(Object.prototype, 'propertyIsEnumerable')
export const numberValueOf = method(Number.prototype, 'valueOf')
export const stringValueOf = method(String.prototype, 'valueOf')
export const booleanValueOf = method(Boolean.prototype, 'valueOf')
export const bigintValueOf = method(BigInt.prototype, 'valueOf')
export const bigintToString = method(BigInt.prototype, 'toString')
export const symbolToString = method(Symbol.prototype, 'toString')
export const symbolValueOf = method(Symbol.prototype, 'valueOf')
export const { toPrimitive, toStringTag } = Symbol

const typedArrayPrototype = getPrototypeOf(Uint8Array.prototype)
export const mapSize = getter(Map.prototype, 'size')
export const setSize = getter(Set.prototype, 'size')
export const typedArrayTag = getter(typedArrayPrototype, Symbol.toStringTag)
export const typedArrayLength = getter(typedArrayPrototype, 'length')
export const typedArrayBuffer = getter(typedArrayPrototype, 'buffer')
export const typedArrayByteLength = getter(typedArrayPrototype, 'byteLength')
export const typedArrayByteOffset = getter(typedArrayPrototype, 'byteOffset')
export const bufferByteLength = getter(ArrayBuffer.prototype, 'byteLength')
export const viewByteLength = getter(DataView.prototype, 'byteLength')
export const viewByteOffset = getter(DataView.prototype, 'byteOffset')
export const viewBuffer = getter(DataView.prototype, 'buffer')
export const regexpSource = getter(RegExp.prototype, 'source')
export const regexpFlags = getter(RegExp.prototype, 'flags')
export const Uint8ArrayCtor = Uint8Array

/** A hidden property. Its descriptor has no prototype: `Object.prototype.get` must not become part of it. */
export function define(target, key, value) {
  return defineProperty(target, key, { __proto__: null, value, enumerable: false, writable: true, configurable: true })
}

/** A property as an assignment would make it, if no setter on a prototype were in its way. */
export function put(target, key, value) {
  return defineProperty(target, key, { __proto__: null, value, enumerable: true, writable: true, configurable: true })
}

/** A frozen one: what a program can neither replace nor delete. */
export function defineFixed(target, key, value) {
  return defineProperty(target, key, { __proto__: null, value, enumerable: true, writable: false, configurable: false })
}

/**
 * Handlers on a promise of this realm, without asking its prototype or its constructor. While that is `undefined`, the
 * language takes its own: a program's `Promise[Symbol.species]` is not asked either.
 */
export function whenSettled(promise, fulfilled, rejected) {
  const own = getOwnPropertyDescriptor(promise, 'constructor')
  define(promise, 'constructor', undefined)
  const derived = promiseThen(promise, fulfilled, rejected)
  if (own === undefined) deleteProperty(promise, 'constructor')
  else defineProperty(promise, 'constructor', setPrototypeOf(own, null))
  return derived
}

/** A function of ours for a program: it shows no source and cannot be constructed. */
export function hostFunction(name, implementation) {
  const bound = bind(implementation, undefined)
  define(bound, 'name', name)
  return bound
}

/** A method as a function of its object. */
export function method(prototype, name) {
  return uncurry(prototype[name])
}

function getter(prototype, key) {
  return uncurry(getOwnPropertyDescriptor(prototype, key).get)
}
