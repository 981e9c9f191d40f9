// What a program sees of a function of ours when it asks for its source: what it sees of the language's own. Bound
// functions show none by themselves; these are the ones that need their `this`, or must be what V8 calls.
import {
  ProxyCtor,
  WeakMapCtor,
  apply,
  define,
  getOwnPropertyDescriptor,
  ownKeys,
  setPrototypeOf,
  weakMapGet,
  weakMapSet,
} from './primordials.js'

const shown = new WeakMapCtor()

/** @returns the function itself */
export function hideSource(implementation, name) {
  weakMapSet(shown, implementation, `function ${name}() { [native code] }`)
  return implementation
}

/** Those of a class: its own, its methods' and its accessors', static ones too. @returns the class itself */
export function hideSourcesOf(constructor) {
  hideMembers(constructor)
  hideMembers(constructor.prototype)
  return hideSource(constructor, constructor.name)
}

export function installFunctionSource() {
  const handler = {
    __proto__: null,
    apply: (target, self, args) => weakMapGet(shown, self) ?? apply(target, self, args),
  }
  const { value: real } = getOwnPropertyDescriptor(Function.prototype, 'toString')
  define(Function.prototype, 'toString', new ProxyCtor(real, handler))
}

function hideMembers(target) {
  const keys = ownKeys(target)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]
    // Without its prototype: a program may have put a `get` on that of all objects.
    const { value, get, set } = setPrototypeOf(getOwnPropertyDescriptor(target, key), null)
    if (typeof value === 'function' && weakMapGet(shown, value) === undefined) hideSource(value, nameOf(key))
    if (get !== undefined) hideSource(get, `get ${nameOf(key)}`)
    if (set !== undefined) hideSource(set, `set ${nameOf(key)}`)
  }
}

function nameOf(key) {
  return typeof key === 'string' ? key : 'method'
}
