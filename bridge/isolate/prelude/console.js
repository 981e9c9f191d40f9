// `console`: lines of a bounded log. What does not fit is counted, not kept.
import {
  create,
  defineFixed,
  freeze,
  hostFunction,
  isError,
  ownKeys,
  stringIncludes,
  stringSlice,
  stringToWellFormed,
  stringify,
} from './primordials.js'
import { describeThrown } from './describe-thrown.js'
import { toJsonForm } from './json-form.js'
import { innerMessages } from './inner-errors.js'
import { primitiveText } from './reading.js'
import { limits, post } from './operations.js'

const LOG_DEPTH = 32
const ERROR_CHARS = 4096
const CUT = '… (cut)'

let keptChars = 0
let droppedChars = 0

export const droppedLog = () => droppedChars

/** Methods that programs call for the log's sake, and the level of their line; none is worth a failed program. */
const LEVELS = {
  __proto__: null,
  debug: 'debug',
  info: 'info',
  log: 'log',
  warn: 'warn',
  error: 'error',
  trace: 'log',
  group: 'log',
  groupCollapsed: 'log',
  dirxml: 'log',
}
/** What follows their first argument says how a terminal is to show it. */
const FIRST_ONLY = ['table', 'dir']
/** Their effect is on a terminal or a clock that are not there. */
const SILENT = ['groupEnd', 'time', 'timeEnd', 'timeLog', 'clear', 'timeStamp', 'profile', 'profileEnd']

export function makeConsole() {
  const console = create(null)
  const names = ownKeys(LEVELS)
  for (let index = 0; index < names.length; index++) {
    const name = names[index]
    const add = (...args) => log(LEVELS[name], args)
    defineFixed(console, name, hostFunction(name, add))
  }
  for (let index = 0; index < FIRST_ONLY.length; index++) {
    const name = FIRST_ONLY[index]
    defineFixed(
      console,
      name,
      hostFunction(name, (value) => write('log', shown(value))),
    )
  }
  defineCounter(console)
  for (let index = 0; index < SILENT.length; index++) {
    defineFixed(
      console,
      SILENT[index],
      hostFunction(SILENT[index], () => undefined),
    )
  }
  const assert = (isTrue, ...args) => {
    if (isTrue) return
    let line = 'assertion failed'
    for (let index = 0; index < args.length; index++) line += ` ${shown(args[index])}`
    write('error', line)
  }
  defineFixed(console, 'assert', hostFunction('assert', assert))
  return freeze(console)
}

function defineCounter(console) {
  const counts = { __proto__: null }
  const labelOf = (label) => (label === undefined ? 'default' : shown(label))
  const count = (given) => {
    const label = labelOf(given)
    counts[label] = (counts[label] ?? 0) + 1
    write('log', `${label}: ${counts[label]}`)
  }
  defineFixed(console, 'count', hostFunction('count', count))
  defineFixed(
    console,
    'countReset',
    hostFunction('countReset', (label) => void delete counts[labelOf(label)]),
  )
}

/** A line that does not come from a call of the program's own. */
export function logLine(level, text) {
  write(level, text)
}

function log(level, args) {
  const isFormat = args.length > 1 && typeof args[0] === 'string' && stringIncludes(args[0], '%')
  write(level, isFormat && args[0].length <= limits().logChars ? formatted(args) : joined(args, 0))
}

function joined(args, first) {
  let line = ''
  for (let index = first; index < args.length; index++) {
    if (index > first) line += ' '
    line += shown(args[index])
  }
  return line
}

const MARKS = 'sdifjoOc%'

/** `%s` and its like, each as the value would be logged by itself; values that are left over follow. */
function formatted(args) {
  const text = shown(args[0])
  let line = ''
  let from = 0
  let next = 1
  for (let at = 0; at < text.length - 1 && next < args.length; at++) {
    const mark = text[at + 1]
    if (text[at] !== '%' || !stringIncludes(MARKS, mark)) continue
    line += stringSlice(text, from, at)
    if (mark === '%') line += '%'
    else {
      // Of `%c` only a terminal would show something.
      if (mark !== 'c') line += shown(args[next])
      next += 1
    }
    at += 1
    from = at + 1
  }
  line += stringSlice(text, from)
  return next < args.length ? `${line} ${joined(args, next)}` : line
}

function write(level, line) {
  const room = limits().logChars - keptChars
  if (line.length > room) {
    droppedChars += line.length - (room > 0 ? room : 0)
    if (room <= 0) return
    line = stringToWellFormed(stringSlice(line, 0, room))
  }
  // An empty line costs too: a million of them is no way around the limit.
  keptChars += line.length + 1
  post(`{"k":"log","level":"${level}","text":${stringify(line)}}`)
}

function shown(value) {
  if (typeof value === 'string') return value.length > limits().logChars ? value : stringToWellFormed(value)
  if (typeof value !== 'object' || value === null) return primitiveText(value)
  if (isError(value)) return describeThrown(value, ERROR_CHARS) + innerMessages(value)
  const form = toJsonForm(value, {
    mode: 'value',
    limit: limits().logChars,
    depth: LOG_DEPTH,
    settled: undefined,
    reads: undefined,
  })
  // With room for the mark on an empty log.
  if (form.problem === 'size') return `${stringSlice(form.text, 0, limits().logChars - CUT.length - 1)}${CUT}`
  return form.problem === 'depth' ? `${form.text}… (nested deeper than ${LOG_DEPTH} levels)` : form.text
}
