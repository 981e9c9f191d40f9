// The few things of the web that programs use without thinking of them. Each is made when it is first asked for.
import { TypeErrorCtor, apply, define, defineProperty } from './primordials.js'

export function installWeb(help) {
  define(globalThis, 'queueMicrotask', queueMicrotask)
  void help
}

function queueMicrotask(callback) {
  if (typeof callback !== 'function') throw new TypeErrorCtor('queueMicrotask needs a function to call')
  void apply
  void defineProperty
}
