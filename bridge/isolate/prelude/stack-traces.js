// Where an error was thrown, and stacks that show the program's own frames only. V8 asks `Error.prepareStackTrace` for
// every stack; it is ours for good, and a program's own one gets what is left when our frames are out.
import {
  ErrorCtor,
  WeakMapCtor,
  apply,
  defineProperty,
  freeze,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hostFunction,
  isError,
  stringSlice,
  uncurry,
  weakMapGet,
  weakMapSet,
  put,
} from './primordials.js'
import { hideSource } from './function-source.js'
import { describeThrown } from './json-form.js'
import { read } from './reading.js'

/** Lines that the AsyncFunction constructor puts in front of a body. */
const HEAD_LINES = 2
export const PROGRAM_NAME = 'program'
const PRELUDE_NAME = 'drawbridge'
const HEADER_CHARS = 4096

const positions = new WeakMapCtor()
let programFormatter

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
    set: hostFunction('set prepareStackTrace', (formatter) => {
      programFormatter = typeof formatter === 'function' && formatter !== formatStack ? formatter : undefined
    }),
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
  const own = []
  let count = 0
  let text = stringSlice(describeThrown(error, HEADER_CHARS), 0, HEADER_CHARS)
  for (let index = 0; index < frames.length; index++) {
    const frame = frames[index]
    if (fileName(frame) === PRELUDE_NAME) continue
    const isProgram = scriptName(frame) === PROGRAM_NAME
    if (isProgram && weakMapGet(positions, error) === undefined) remember(error, frame)
    const shown = frameText(frame, isProgram)
    if (programFormatter !== undefined) put(own, count++, plainFrame(frame, shown, isProgram))
    text += `\n    at ${shown}`
  }
  if (programFormatter === undefined) return text
  return apply(programFormatter, ErrorCtor, [error, own])
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

const nothing = hostFunction('', () => undefined)
const no = hostFunction('', () => false)

/** What a program's own formatter gets for a frame: its texts and numbers. V8's own also gives functions and `this`. */
function plainFrame(frame, text, isProgram) {
  const line = lineOf(frame, isProgram)
  const column = columnNumber(frame)
  const name = functionName(frame)
  const file = isProgram ? PROGRAM_NAME : undefined
  const isAsyncFrame = isAsync(frame)
  return freeze({
    getFileName: giving(file),
    getScriptNameOrSourceURL: giving(file),
    getLineNumber: giving(line),
    getColumnNumber: giving(column),
    getFunctionName: giving(name),
    getMethodName: nothing,
    getTypeName: nothing,
    getThis: nothing,
    getFunction: nothing,
    getEvalOrigin: nothing,
    isNative: no,
    isToplevel: no,
    isConstructor: no,
    isEval: no,
    isPromiseAll: no,
    isAsync: giving(isAsyncFrame),
    toString: giving(text),
  })
}

function giving(value) {
  return hostFunction('', () => value)
}

function lineOf(frame, isProgram) {
  return isProgram ? lineNumber(frame) - HEAD_LINES : lineNumber(frame)
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
