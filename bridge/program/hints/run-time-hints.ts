import { nearMiss } from '../../arguments/near-miss.ts'
import { hintForName } from './absent-bindings.ts'

const MEMBERS = ['search', 'describe', 'call', 'callAll', 'store'] as const
const LIST_METHODS = /\.(?:map|filter|forEach|find|some|every|reduce|slice|join|flatMap|sort|at|push|includes)$/
const GLOBALS =
  'a program has tools, console, timers, URL, TextEncoder and structuredClone; anything else it declares itself'

/**
 * What to do about an error that the engine raised. The texts are V8's and only choose a hint: nothing else hangs on
 * them, and an unknown one has no hint.
 */
export function hintForError(error: string): string | undefined {
  const message = error.replace(/^(?:Uncaught )?[A-Z]\w{0,30}Error: /, '')
  const absent = /^([\p{ID_Start}$_][\p{ID_Continue}$]*) is not defined$/u.exec(message)?.[1]
  if (absent !== undefined) return hintForName(absent) ?? nearGlobal(absent)
  const uncallable = /^(\S.{0,120}?) is not a function/.exec(message)?.[1]
  if (uncallable !== undefined) return hintForCall(uncallable)
  if (/ is not (?:iterable|a constructor)/.test(message)) return hintForShape(message)
  const read = /Cannot (?:read|set) properties of (undefined|null)(?: \((?:reading|setting) '(.{0,80}?)'\))?/.exec(
    message,
  )
  if (read !== null) return hintForProperty(read[1] ?? '', read[2] ?? '')
  return OTHERS.find(([pattern]) => pattern.test(message))?.[1]
}

const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/\bimport\b|dynamic import|Not supported/, 'a program has no modules; everything it has is a global: tools, console, timers, URL'],
  [/before initialization/, 'the name is used above the line that declares it; move the declaration up'],
  [/Assignment to constant variable/, 'declare it with let'],
  [/Maximum call stack size exceeded/, 'a function calls itself without end, or a value is nested too deeply; use a loop'],
  [/is not valid JSON|in JSON at position|Unexpected end of JSON input/, 'a call gives its value, not JSON text: parse only what is text, and log it first'],
  [/Code generation from strings disallowed/, 'write the code into the program itself'],
  [/await is only valid/, 'make the function async: async (x) => …'],
  [/Cannot (?:assign to read only property|add property|delete property)|object is not extensible/, 'tools and console cannot be changed; make an object of your own'],
  [/Invalid array length|Invalid string length/, 'build less at a time'],
] // prettier-ignore

function nearGlobal(name: string): string {
  const meant = nearMiss(name, [
    'tools',
    'console',
    'setTimeout',
    'structuredClone',
    'TextEncoder',
    'TextDecoder',
    'Promise',
    'Object',
    'Math',
    'JSON',
  ])
  return meant === undefined ? GLOBALS : `did you mean ${meant}? ${GLOBALS}`
}

function hintForCall(expression: string): string {
  if (expression.startsWith('tools.')) {
    const [, owner = '', ...rest] = expression.split('.')
    const meant = rest.length === 0 ? nearMiss(owner, MEMBERS) : undefined
    const instead = hintForName(owner)
    if (meant !== undefined)
      return `did you mean tools.${meant}? tools has ${MEMBERS.join(', ')}, and tools.<owner>.<name>(args)`
    return (
      instead ?? `no tool has this name here; find its id: await tools.search("…"), then await tools.call(id, args)`
    )
  }
  if (/\.(?:json|text|ok|status)$/.test(expression))
    return "a call gives the tool's value itself, no response object; use it as it is"
  if (/\.(?:execute|run|invoke|callTool)$/.test(expression))
    return 'a hit has call(args) and describe(); an id goes to tools.call(id, args)'
  if (LIST_METHODS.test(expression))
    return 'this is no list: it may be a promise (await is missing), a text or an object; console.log it to see'
  return hintForName(expression) ?? 'console.log the value to see what it is; a promise needs await first'
}

function hintForShape(message: string): string {
  const name = /^([\w$]+) is not a constructor/.exec(message)?.[1]
  if (name !== undefined) return hintForName(name) ?? GLOBALS
  return 'only a list can be taken apart so; the value may be a promise (await is missing), a text or an object; console.log it to see'
}

/** Most often a search found nothing, or a result has other fields than thought. */
function hintForProperty(value: string, property: string): string {
  if (/^(?:call|describe|id|name|signature|description|score)$/.test(property)) {
    return `the hit is ${value}: the search may have found nothing, or await is missing; check it first: const [hit] = await tools.search("…"); if (!hit) return "none"`
  }
  const before = property === '' ? 'the property' : `.${property}`
  return `what stands before ${before} is ${value}; console.log the value that you got, or describe the tool to see what it gives`
}
