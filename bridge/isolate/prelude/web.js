// The few things of the web that programs use without thinking of them. Most are made when they are first asked for.
import { PromiseCtor, TypeErrorCtor, apply, define, defineProperty, hostFunction, whenSettled } from './primordials.js'
import { hideSourcesOf } from './function-source.js'
import { describeThrown } from './describe-thrown.js'
import { logLine } from './console.js'
import { structuredClone } from './web-clone.js'
import { atob, btoa, makeTextDecoder, makeTextEncoder } from './web-text.js'
import { makeUrlClasses } from './web-url.js'

const ERROR_CHARS = 1024

export function installWeb(help) {
  define(globalThis, 'queueMicrotask', hostFunction('queueMicrotask', queueMicrotask))
  define(globalThis, 'structuredClone', hostFunction('structuredClone', structuredClone))
  define(globalThis, 'atob', hostFunction('atob', atob))
  define(globalThis, 'btoa', hostFunction('btoa', btoa))
  defineLazy('TextEncoder', () => hideSourcesOf(makeTextEncoder()))
  defineLazy('TextDecoder', () => hideSourcesOf(makeTextDecoder()))
  let classes
  const urlClasses = () => {
    if (classes !== undefined) return classes
    classes = makeUrlClasses(help)
    // Both at once: a URL leads to its parameters' class, whether or not that was asked for by name.
    hideSourcesOf(classes.URL)
    hideSourcesOf(classes.URLSearchParams)
    return classes
  }
  defineLazy('URL', () => urlClasses().URL)
  defineLazy('URLSearchParams', () => urlClasses().URLSearchParams)
}

function queueMicrotask(callback) {
  if (typeof callback !== 'function') throw new TypeErrorCtor('queueMicrotask needs a function to call')
  const done = new PromiseCtor((resolve) => resolve())
  whenSettled(done, () => {
    try {
      apply(callback, undefined, [])
    } catch (error) {
      logLine('error', `uncaught in a microtask: ${describeThrown(error, ERROR_CHARS)}`)
    }
  })
}

/** A global that becomes an ordinary property when it is first read or written. */
function defineLazy(name, make) {
  defineProperty(globalThis, name, {
    __proto__: null,
    get: hostFunction(`get ${name}`, () => {
      const value = make()
      define(globalThis, name, value)
      return value
    }),
    set: hostFunction(`set ${name}`, (value) => {
      define(globalThis, name, value)
    }),
    enumerable: false,
    configurable: true,
  })
}
