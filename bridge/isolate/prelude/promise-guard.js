// What a program does with a promise that it forgot to await: written into text the language makes `{}` or
// `[object Promise]` of it, a property of it is `undefined`, and a model takes either for the tool's answer. Here both are
// errors that say what is missing.
import {
  PromiseCtor,
  ProxyCtor,
  TypeErrorCtor,
  create,
  define,
  getPrototypeOf,
  hostFunction,
  objectPrototype,
  reflectGet,
  setPrototypeOf,
  stringIncludes,
  stringSlice,
  toPrimitive,
} from './primordials.js'
import { isReserved, quote } from './reading.js'

const WRITTEN = 'a promise was used as a text or a number before it had settled; write await in front of it'
const NAME_CHARS = 80

let source = ''

/** The program's text, which says what it puts on promises itself. */
export function guardPromisesOf(code) {
  source = code
}

export function installPromiseGuard() {
  const { prototype } = PromiseCtor
  const refuse = () => {
    throw new TypeErrorCtor(WRITTEN)
  }
  define(prototype, 'toJSON', hostFunction('toJSON', refuse))
  define(prototype, toPrimitive, hostFunction('[Symbol.toPrimitive]', refuse))
  // Above the methods of promises, so that nothing but a name that none of them has comes here.
  setPrototypeOf(prototype, new ProxyCtor(create(objectPrototype), { __proto__: null, get: readMissing }))
}

/**
 * A class of the program's own may leave its fields unset, and a program may mark promises of its own (`p.done = true`,
 * later) and look for that mark before it is there. A promise of the language has no fields.
 */
function readMissing(members, key, promise) {
  if (isReserved(key) || key in members || getPrototypeOf(promise) !== PromiseCtor.prototype) {
    return reflectGet(members, key, promise)
  }
  if (stringIncludes(source, `.${key} = `)) return undefined
  const name = quote(stringSlice(key, 0, NAME_CHARS))
  throw new TypeErrorCtor(`${name} was read of a promise, which has no such thing; write await in front of the promise`)
}
