// What a program asks of the gateway: numbered messages out, answers delivered back by number.
import {
  ErrorCtor,
  PromiseCtor,
  define,
  ownKeys,
  parse,
  setPrototypeOf,
  stringify,
  put,
  whenSettled,
} from './primordials.js'
import { toJsonForm } from './json-form.js'

const VALUE_DEPTH = 128
/** Refusals after the program's end, each with its reason. A loop that ignores them then waits for good, instead of for the clock. */
const REFUSALS_AFTER_END = 16

/** Set once by `startOperations`; the gateway checks each of them again. */
const state = {
  __proto__: null,
  send: undefined,
  limits: undefined,
  lastId: 0,
  calls: 0,
  inFlight: 0,
  isClosed: false,
  refused: 0,
  isOver: false,
}
const pending = { __proto__: null }

export function startOperations(send, limits) {
  state.send = send
  state.limits = setPrototypeOf(limits, null)
}

export const limits = () => state.limits
export const inFlight = () => state.inFlight

/** After it no operation starts. */
export function closeOperations() {
  state.isClosed = true
}

/** One message to the gateway. Nothing leaves after the end. */
export function post(json) {
  if (!state.isOver) state.send(json)
}

export function postEnd(json) {
  post(json)
  state.isOver = true
}

/** A message with the next number, which is used up only once it is sent: a program may be at the end of its stack. */
export function postNumbered(before, after) {
  const id = state.lastId + 1
  post(`${before}${id}${after}`)
  state.lastId = id
  return id
}

/**
 * Asks the gateway.
 * @param {string} kind
 * @param {string} fields JSON members of the operation after `kind`, made by `strictJson`
 */
export function ask(kind, fields) {
  if (state.isClosed) return afterEnd(kind)
  // Each part is bounded; all of them together must fit a frame.
  if (fields.length > state.limits.argumentChars) return rejected('invalid-input', `${kind}: ${tooLarge()}`)
  if (kind === 'call' && ++state.calls > state.limits.calls) {
    postEnd(`{"k":"limit","limit":"calls","droppedLog":0}`)
    return new PromiseCtor(() => undefined)
  }
  // The error is made here, so that its stack tells where in the program the operation was asked for.
  const entry = { __proto__: null, resolve: undefined, reject: undefined, error: new ErrorCtor('') }
  const promise = new PromiseCtor((resolve, reject) => {
    entry.resolve = resolve
    entry.reject = reject
  })
  quiet(promise)
  const id = postNumbered('{"k":"op","id":', `,"op":{"kind":"${kind}"${fields}}}`)
  pending[id] = entry
  state.inFlight += 1
  return promise
}

function afterEnd(kind) {
  state.refused += 1
  if (state.refused > REFUSALS_AFTER_END) return new PromiseCtor(() => undefined)
  return rejected('cancelled', `the program has returned: no new ${kind} starts after that; await it before you return`)
}

/** Gives the answer of one operation to the program. */
export function settle(id, isOk, json) {
  const entry = pending[id]
  if (entry === undefined) return
  delete pending[id]
  state.inFlight -= 1
  if (isOk) entry.resolve(parse(json))
  else entry.reject(asError(entry.error, setPrototypeOf(parse(json), null)))
}

/** JSON text of arguments, or the promise that says why there is none. */
export function strictJson(value, what) {
  const form = toJsonForm(value, {
    mode: 'strict',
    limit: state.limits.argumentChars,
    depth: VALUE_DEPTH,
    settled: undefined,
    reads: undefined,
  })
  if (form.problem === undefined) return { __proto__: null, text: form.text, refused: undefined }
  return { __proto__: null, text: '', refused: rejected('invalid-input', `${what}: ${strictProblem(form)}`) }
}

/** A rejected promise as the gateway's answer would have made it. */
export function rejected(code, message) {
  const error = asError(new ErrorCtor(''), { __proto__: null, code, message, effect: 'none' })
  const promise = new PromiseCtor((_resolve, reject) => reject(error))
  quiet(promise)
  return promise
}

function strictProblem(form) {
  if (form.problem === 'refused') return form.message
  if (form.problem === 'depth') return `nested deeper than ${VALUE_DEPTH} levels`
  return tooLarge()
}

function tooLarge() {
  return `larger than ${state.limits.argumentChars} bytes; give less, or page through it`
}

function asError(error, fields) {
  define(error, 'name', 'ToolError')
  // To be seen where a program writes the error as JSON: of another error nothing of use would be left there.
  put(error, 'message', fields.message)
  const keys = ownKeys(fields)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]
    if (key !== 'message' && key !== 'name' && key !== 'stack') put(error, key, fields[key])
  }
  return error
}

/** A rejection that nothing handles yet is no failure of the run: the program may await it later. */
function quiet(promise) {
  whenSettled(promise, undefined, () => undefined)
}

export function jsonString(text) {
  return stringify(text)
}
