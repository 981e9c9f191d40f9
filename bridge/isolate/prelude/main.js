// The life of one program in its isolate: started once, then given one answer at a time. No exception leaves here.
import {
  AsyncFunctionCtor,
  PromiseCtor,
  RangeErrorCtor,
  WeakMapCtor,
  apply,
  defineFixed,
  hitPrototype,
  isError,
  parse,
  promiseThen,
  stringify,
  stringIncludes,
  weakMapSet,
  whenSettled,
} from './primordials.js'
import { describeThrown } from './describe-thrown.js'
import { toJsonForm } from './json-form.js'
import { innerMessages } from './inner-errors.js'
import { quote, textOf } from './reading.js'
import { hideSource, installFunctionSource } from './function-source.js'
import { PROGRAM_NAME, installStackTraces, positionOf } from './stack-traces.js'
import { guardPromisesOf, installPromiseGuard } from './promise-guard.js'
import { installJsonText } from './json-text.js'
import { installDeterminism, setClock, setSeed } from './determinism.js'
import { closeOperations, inFlight, limits, post, postEnd, settle, startOperations } from './operations.js'
import { droppedLog, logLine, makeConsole } from './console.js'
import { fire, installTimers } from './timers.js'
import { makeTools } from './tools.js'
import { installWeb } from './web.js'

const VALUE_DEPTH = 128
const MESSAGE_CHARS = 4096
const NAME_CHARS = 128
/** Rounds of awaiting promises that were found inside promises. */
const SETTLE_ROUNDS = 1000

/** Jobs that may follow from the last awaited call before the end is sent: a chain of about thirty awaits. */
const JOBS_AFTER_CALLS = 100

/** What the program returned, to be written again once the calls that were under way have filled it. */
let returned
let isEnding = false
/** @type {string | undefined} the end, as JSON without its last brace, while answers are still awaited */
let ending
let source = ''

/** @param {(json: string) => void} send @param {(kind: string, a: string, b: string) => string} help */
export function install(send, help) {
  installFunctionSource()
  hideSource(hitPrototype.call, 'call')
  hideSource(hitPrototype.describe, 'describe')
  installDeterminism()
  installPromiseGuard()
  installJsonText()
  installStackTraces()
  installTimers()
  installWeb(ofThisRealm(help))
  defineFixed(globalThis, 'tools', makeTools())
  defineFixed(globalThis, 'console', makeConsole())
  const post = ofThisRealm(send)
  return { start: (code, json) => start(post, code, json), deliver }
}

/** What the worker throws has the worker's stack, with its path: all that it can throw is that the stack ends. */
function ofThisRealm(call) {
  return (a, b, c) => {
    try {
      return call(a, b, c)
    } catch {
      throw new RangeErrorCtor('Maximum call stack size exceeded')
    }
  }
}

function start(send, code, json) {
  const settings = parse(json)
  startOperations(send, settings.limits)
  setSeed(settings.seed)
  setClock(settings.nowMs)
  source = code
  guardPromisesOf(code)
  // Compiled in a job of its own, with no function of ours as its caller: a frame's `getEvalOrigin` has none to name.
  const text = new PromiseCtor((resolve) => resolve(`${code}\n//# sourceURL=${PROGRAM_NAME}`))
  whenSettled(promiseThen(text, AsyncFunctionCtor), run, fail)
}

function run(program) {
  whenSettled(apply(program, undefined, []), finish, fail)
}

/**
 * @param {number} nowMs
 * @param {number} what four times the operation's number, plus 0 for an error, 1 for a value, 2 for a timer; 0 alone says
 *   that nothing is pending and nothing ever will be
 * @param {string} json
 */
function deliver(nowMs, what, json) {
  setClock(nowMs)
  const kind = what % 4
  const id = (what - kind) / 4
  if (id === 0) {
    endWith(
      failure('Error', 'the program waits for something that can never settle: no call, search or timer is pending'),
    )
    return
  }
  if (kind === 2) fire(id)
  else settle(id, kind === 1, json)
  // Nothing need be left in the program that hears of it.
  if (kind === 0 && ending !== undefined)
    logLine('error', `a call failed after the program had ended: ${parse(json).message}`)
  maybeEnd()
}

function finish(value) {
  convert({ __proto__: null, value, settled: new WeakMapCtor(), reads: new WeakMapCtor() }, SETTLE_ROUNDS)
}

/** A frozen promise still asks its own class how to be awaited: what that throws is the program's error. */
function convert(result, rounds) {
  try {
    convertOrThrow(result, rounds)
  } catch (error) {
    fail(error)
  }
}

/** Promises inside the value are part of it: they are awaited one after the other, then the value is written. */
function convertOrThrow(result, rounds) {
  const form = formOf(result)
  if (form.pending !== undefined && rounds > 0) {
    const { pending } = form
    whenSettled(
      pending,
      (inner) => {
        weakMapSet(result.settled, pending, inner)
        convert(result, rounds - 1)
      },
      fail,
    )
    return
  }
  returned = result
  endWith(endOf(form))
}

function formOf({ value, settled, reads }) {
  return toJsonForm(value, { mode: 'value', limit: limits().outputChars, depth: VALUE_DEPTH, settled, reads })
}

function endOf(form) {
  if (form.problem === 'size') return `{"k":"limit","limit":"output"`
  if (form.problem === 'depth') return `{"k":"limit","limit":"depth"`
  const absent = form.absent === 0 ? '' : `,"absent":${form.absent},"absentAt":${quote(form.absentAt)}`
  return `{"k":"end","ok":true,"value":${form.text}${absent}`
}

function fail(error) {
  const position = positionOf(error)
  const name = isError(error) ? textOf(() => error.name, 'Error', NAME_CHARS) : ''
  endWith(failure(name, failureMessage(error), position))
}

function failureMessage(error) {
  if (!isError(error)) return `the program threw ${describeThrown(error, MESSAGE_CHARS)}`
  const message = textOf(() => error.message, '', MESSAGE_CHARS)
  // What isolated-vm says of `import()`, and no other thing does.
  if (message === 'Not supported' && stringIncludes(source, 'import')) {
    return 'import() is not there: a program has the global "tools" and the language itself, no modules'
  }
  return message + innerMessages(error)
}

function failure(name, message, position) {
  const place = position === undefined ? '' : `,"line":${position.line},"column":${position.column}`
  return `{"k":"end","ok":false,"name":${stringify(name)},"message":${stringify(message)}${place}`
}

function endWith(json) {
  if (ending !== undefined) return
  ending = json
  closeOperations()
  if (inFlight() === 0) return sendEnd()
  post(`{"k":"closed","awaited":${inFlight()}}`)
}

/** What was asked before the program ended is awaited: its effects happen either way, and the run can say which. */
function maybeEnd() {
  if (ending === undefined || inFlight() > 0 || isEnding) return
  isEnding = true
  endAfter(JOBS_AFTER_CALLS)
}

/** What the last call's answer sets going is done first: its log and what it puts into the result belong to the run. */
function endAfter(jobs) {
  if (jobs > 0) whenSettled(new PromiseCtor((resolve) => resolve()), () => endAfter(jobs - 1))
  else {
    const form = returned === undefined ? undefined : formOf(returned)
    if (form !== undefined && form.pending === undefined) ending = endOf(form)
    sendEnd()
  }
}

function sendEnd() {
  postEnd(`${ending},"droppedLog":${droppedLog()}}`)
}
