// A program's only inputs are its source, a seed, a clock that moves when the gateway delivers something, and answers.
// What else the language would let it observe is replaced here (time, randomness) or taken away (what only the garbage
// collector decides, shared memory, and Temporal: a second clock that costs an isolate more than all else here).
import { construct, define, getOwnPropertyDescriptor, hostFunction, imul, method, uncurry } from './primordials.js'
import { hideSource } from './function-source.js'

const RealDate = Date
const realDateToString = method(Date.prototype, 'toString')
let nowMs = 0
let randomState = 0

export function setClock(ms) {
  nowMs = ms
}

export function setSeed(seed) {
  randomState = seed | 0
}

export function installDeterminism() {
  for (const name of [
    'WebAssembly',
    'SharedArrayBuffer',
    'Atomics',
    'WeakRef',
    'FinalizationRegistry',
    'ShadowRealm',
    'Temporal',
  ]) {
    delete globalThis[name]
  }
  define(globalThis, 'Date', dateConstructor())
  define(Math, 'random', hostFunction('random', random))
  installIntlClock()
}

function dateConstructor() {
  function Date(...args) {
    const target = new.target
    if (target === undefined) return realDateToString(new RealDate(nowMs))
    const given = args.length === 0 ? [nowMs] : args
    return construct(RealDate, given, target === Date ? RealDate : target)
  }
  define(Date, 'length', 7)
  define(
    Date,
    'now',
    hostFunction('now', () => nowMs),
  )
  define(Date, 'parse', RealDate.parse)
  define(Date, 'UTC', RealDate.UTC)
  Date.prototype = RealDate.prototype
  define(RealDate.prototype, 'constructor', Date)
  return hideSource(Date, 'Date')
}

/** Mulberry32: 32 bits of state are plenty for a program of seconds, and the same on every machine. */
function random() {
  randomState = (randomState + 0x6d2b79f5) | 0
  let mixed = imul(randomState ^ (randomState >>> 15), 1 | randomState)
  mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

/** Without a date these format the real time. */
function installIntlClock() {
  const prototype = Intl.DateTimeFormat.prototype
  const formatOf = uncurry(getOwnPropertyDescriptor(prototype, 'format').get)
  const toParts = method(prototype, 'formatToParts')
  const get = {
    get format() {
      const format = formatOf(this)
      return hostFunction('', (date) => format(date === undefined ? nowMs : date))
    },
  }
  const descriptor = getOwnPropertyDescriptor(get, 'format')
  hideSource(descriptor.get, 'get format')
  Reflect.defineProperty(prototype, 'format', { __proto__: null, get: descriptor.get, configurable: true })
  function formatToParts(date) {
    return toParts(this, date === undefined ? nowMs : date)
  }
  define(prototype, 'formatToParts', hideSource(formatToParts, 'formatToParts'))
}
