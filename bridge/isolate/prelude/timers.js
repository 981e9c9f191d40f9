// Timers are operations too: the gateway has the clock, and says when one is due.
import { RangeErrorCtor, TypeErrorCtor, apply, define, hostFunction, isInteger } from './primordials.js'
import { describeThrown } from './describe-thrown.js'
import { logLine } from './console.js'
import { post, postNumbered } from './operations.js'

const LONGEST_MS = 2 ** 31 - 1
const ERROR_CHARS = 1024
const PENDING_MAX = 1024

const timers = { __proto__: null }
const operationTimers = { __proto__: null }
let lastTimer = 0
let count = 0

export function installTimers() {
  define(
    globalThis,
    'setTimeout',
    hostFunction('setTimeout', (callback, ms, ...args) => start(callback, ms, { args, repeats: false })),
  )
  define(
    globalThis,
    'setInterval',
    hostFunction('setInterval', (callback, ms, ...args) => start(callback, ms, { args, repeats: true })),
  )
  define(globalThis, 'clearTimeout', hostFunction('clearTimeout', clear))
  define(globalThis, 'clearInterval', hostFunction('clearInterval', clear))
}

/** @returns {boolean} whether the operation was a timer */
export function fire(operationId) {
  const key = operationTimers[operationId]
  if (key === undefined) return false
  delete operationTimers[operationId]
  const timer = timers[key]
  if (timer.repeats) arm(key, timer)
  else forget(key)
  try {
    apply(timer.callback, undefined, timer.args)
  } catch (error) {
    logLine('error', `uncaught in a timer: ${describeThrown(error, ERROR_CHARS)}`)
  }
  return true
}

function start(callback, ms, options) {
  if (typeof callback !== 'function') throw new TypeErrorCtor('a timer needs a function to call')
  // First: it runs the program's code, which may set timers as well.
  const wait = +ms
  if (count >= PENDING_MAX) throw new RangeErrorCtor(`more than ${PENDING_MAX} timers at one time`)
  const timer = {
    __proto__: null,
    callback,
    args: options.args,
    repeats: options.repeats,
    // As in Node: what is no time, or longer than a timer can be, is the shortest.
    ms: wait >= 1 && wait <= LONGEST_MS ? wait | 0 : 1,
    operationId: 0,
  }
  const key = lastTimer + 1
  arm(key, timer)
  timers[key] = timer
  lastTimer = key
  count += 1
  return key
}

function arm(key, timer) {
  timer.operationId = postNumbered('{"k":"timer","id":', `,"ms":${timer.ms}}`)
  operationTimers[timer.operationId] = key
}

function clear(key) {
  if (!isInteger(key) || timers[key] === undefined) return
  const { operationId } = timers[key]
  forget(key)
  delete operationTimers[operationId]
  post(`{"k":"clear","id":${operationId}}`)
}

function forget(key) {
  delete timers[key]
  count -= 1
}
