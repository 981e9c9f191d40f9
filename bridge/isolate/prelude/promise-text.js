// A promise that is written into text without being awaited: the language makes `{}` or `[object Promise]` of it, which
// a model then takes for the tool's answer. Here it is an error that says what is missing.
import { PromiseCtor, TypeErrorCtor, define, hostFunction, toPrimitive } from './primordials.js'

const MESSAGE = 'a promise was written into text before it had settled; write await in front of it'

export function installPromiseText() {
  const refuse = () => {
    throw new TypeErrorCtor(MESSAGE)
  }
  define(PromiseCtor.prototype, 'toJSON', hostFunction('toJSON', refuse))
  define(PromiseCtor.prototype, toPrimitive, hostFunction('[Symbol.toPrimitive]', refuse))
}
