// Where an error was thrown, and stacks that show the program's own frames only. V8 asks `Error.prepareStackTrace` for
// every stack; it is ours for good. Nothing of the program runs in it, neither a formatter nor a getter: a stack that is
// asked for meanwhile V8 formats by itself, our frames among it.
import {
  ErrorCtor,
  WeakMapCtor,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hostFunction,
  isError,
  stringSlice,
  stringToWellFormed,
  uncurry,
  weakMapGet,
  weakMapSet,
} from './primordials.js'
import { hideSource } from './function-source.js'
import { own, read } from './reading.js'

/** Lines that the AsyncFunction constructor puts in front of a body. */
const HEAD_LINES = 2
export const PROGRAM_NAME = 'program'
const PRELUDE_NAME = 'drawbridge'
const HEADER_CHARS = 4096

const positions = new WeakMapCtor()
const nativeNames = namesOfPrototypes()

const frameMethods = firstFrame()
const fileName = method('getFileName')
const scriptName = method('getScriptNameOrSourceURL')
const functionName = method('getFunctionName')
const lineNumber = method('getLineNumber')
const columnNumber = method('getColumnNumber')
const isAsync = method('isAsync')

export function installStackTraces() {
  // V8 calls nothing else than a function of plain JavaScript here, so it cannot be a bound one.
  hideSource(formatStack, 'prepareStackTrace')
  defineProperty(ErrorCtor, 'prepareStackTrace', {
    __proto__: null,
    get: hostFunction('get prepareStackTrace', () => formatStack),
    // A program that sets its own need not fail for it.
    set: hostFunction('set prepareStackTrace', () => undefined),
    enumerable: false,
    configurable: false,
  })
}

/** @returns {{ line: number, column: number } | undefined} in the program's source, from 1 */
export function positionOf(error) {
  if (!isError(error)) return undefined
  // Reading it once makes V8 ask for the frames, if nothing has before.
  read(() => error.stack)
  return weakMapGet(positions, error)
}

function formatStack(error, frames) {
  let text = header(error)
  for (let index = 0; index < frames.length; index++) {
    const frame = frames[index]
    if (fileName(frame) === PRELUDE_NAME) continue
    const isProgram = scriptName(frame) === PROGRAM_NAME
    if (isProgram && weakMapGet(positions, error) === undefined) remember(error, frame)
    text += `\n    at ${frameText(frame, isProgram)}`
  }
  return text
}

/** Of own data alone: a prototype of the program's may be a proxy. */
function header(error) {
  const given = own(error, 'name')
  const name = typeof given === 'string' ? given : (weakMapGet(nativeNames, getPrototypeOf(error)) ?? 'Error')
  const message = own(error, 'message')
  const text =
    typeof message === 'string' && message !== '' ? `${name}: ${stringSlice(message, 0, HEADER_CHARS)}` : name
  return stringToWellFormed(stringSlice(text, 0, HEADER_CHARS))
}

function remember(error, frame) {
  const position = { __proto__: null, line: lineNumber(frame) - HEAD_LINES, column: columnNumber(frame) }
  if (position.line >= 1) weakMapSet(positions, error, position)
}

function frameText(frame, isProgram) {
  const place = `${isProgram ? PROGRAM_NAME : '<anonymous>'}:${lineOf(frame, isProgram)}:${columnNumber(frame)}`
  const name = functionName(frame)
  const prefix = isAsync(frame) ? 'async ' : ''
  return typeof name === 'string' && name !== 'eval' ? `${prefix}${name} (${place})` : `${prefix}${place}`
}

function lineOf(frame, isProgram) {
  return isProgram ? lineNumber(frame) - HEAD_LINES : lineNumber(frame)
}

/** What an error of the language's own kinds is called, whatever a program made of its prototype. */
function namesOfPrototypes() {
  const names = new WeakMapCtor()
  for (const kind of [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) {
    weakMapSet(names, kind.prototype, kind.name)
  }
  return names
}

/** The prototype of V8's frames, from an error of our own. */
function firstFrame() {
  const before = getOwnPropertyDescriptor(ErrorCtor, 'prepareStackTrace')
  ErrorCtor.prepareStackTrace = (_error, frames) => frames
  const frames = new ErrorCtor('').stack
  if (before === undefined) delete ErrorCtor.prepareStackTrace
  else defineProperty(ErrorCtor, 'prepareStackTrace', before)
  return getPrototypeOf(frames[0])
}

function method(name) {
  return uncurry(frameMethods[name])
}
