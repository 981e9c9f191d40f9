// The life of one program in its isolate: started once, then given one answer at a time. No exception leaves here.
import {
  AsyncFunctionCtor,
  PromiseCtor,
  WeakMapCtor,
  apply,
  defineFixed,
  isError,
  parse,
  promiseThen,
  stringify,
  stringIncludes,
  weakMapSet,
  whenSettled,
} from './primordials.js'
import { describeThrown, toJsonForm } from './json-form.js'
import { textOf } from './reading.js'
import { PROGRAM_NAME, installStackTraces, positionOf } from './stack-traces.js'
import { installDeterminism, setClock, setSeed } from './determinism.js'
import { closeOperations, inFlight, limits, post, postEnd, settle, startOperations } from './operations.js'
import { droppedLog, makeConsole } from './console.js'
import { fire, installTimers } from './timers.js'
import { makeTools } from './tools.js'
import { installWeb } from './web.js'

const VALUE_DEPTH = 128
const MESSAGE_CHARS = 4096
const NAME_CHARS = 128
/** Rounds of awaiting promises that were found inside promises. */
const SETTLE_ROUNDS = 1000

/** @type {string | undefined} the end, as JSON without its last brace, while answers are still awaited */
let ending
let source = ''

/** @param {(json: string) => void} send @param {(kind: string, a: string, b: string) => string} help */
export function install(send, help) {
  installDeterminism()
  installStackTraces()
  installTimers()
  installWeb(help)
  defineFixed(globalThis, 'tools', makeTools())
  defineFixed(globalThis, 'console', makeConsole())
  return { start: (code, json) => start(send, code, json), deliver }
}

function start(send, code, json) {
  const settings = parse(json)
  startOperations(send, settings.limits)
  setSeed(settings.seed)
  setClock(settings.nowMs)
  source = code
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
  maybeEnd()
}

function finish(value) {
  const settled = new WeakMapCtor()
  convert(value, settled, SETTLE_ROUNDS)
}

/** Promises inside the value are part of it: they are awaited one after the other, then the value is written. */
function convert(value, settled, rounds) {
  const form = toJsonForm(value, { mode: 'value', limit: limits().outputChars, depth: VALUE_DEPTH, settled })
  if (form.pending !== undefined && rounds > 0) {
    const { pending } = form
    whenSettled(
      pending,
      (inner) => {
        weakMapSet(settled, pending, inner)
        convert(value, settled, rounds - 1)
      },
      fail,
    )
    return
  }
  if (form.problem === 'size') return endWith(`{"k":"limit","limit":"output"`)
  if (form.problem === 'depth') return endWith(`{"k":"limit","limit":"depth"`)
  endWith(`{"k":"end","ok":true,"value":${form.text}`)
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
  return message
}

function failure(name, message, position) {
  const place = position === undefined ? '' : `,"line":${position.line},"column":${position.column}`
  return `{"k":"end","ok":false,"name":${stringify(name)},"message":${stringify(message)}${place}`
}

function endWith(json) {
  if (ending !== undefined) return
  ending = json
  closeOperations()
  if (inFlight() > 0) post(`{"k":"closed","awaited":${inFlight()}}`)
  maybeEnd()
}

/** What was asked before the program ended is awaited: its effects happen either way, and the run can say which. */
function maybeEnd() {
  if (ending === undefined || inFlight() > 0) return
  postEnd(`${ending},"droppedLog":${droppedLog()}}`)
}
