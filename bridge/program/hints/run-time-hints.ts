import { nearMiss } from '../../arguments/near-miss.ts'
import { hintForMember, hintForModule, hintForName, isBridgeName } from './absent-bindings.ts'
import { declaredNames, hintForAbsentName } from './absent-name.ts'
import { hintForMethod } from './foreign-words.ts'
import { hitsTakenAsOne } from './hits-as-one.ts'
import { hintForProperty } from './property-hint.ts'

const MEMBERS = ['search', 'describe', 'call', 'callAll', 'artifact', 'store'] as const
const LIST_METHODS = /\.(?:map|filter|forEach|find|some|every|reduce|slice|join|flatMap|sort|at|push|includes)$/
/** Of the program's line; a longer one is not written by hand. */
const LINE_CHARS = 500
/** Of texts alone; a list has `slice` and `includes` too. */
const TEXT_METHODS: ReadonlySet<string> = new Set([
  'trim',
  'split',
  'replace',
  'replaceAll',
  'match',
  'toLowerCase',
  'toUpperCase',
  'startsWith',
  'endsWith',
  'substring',
])
/**
 * What to do about an error that the engine raised, or a call that named no tool. The texts and the program's line only
 * choose a hint: nothing else hangs on them, and an unknown one has no hint. `code` is the whole program.
 */
export function hintForError(error: string, sourceLine: string, code = ''): string | undefined {
  const line = sourceLine.slice(0, LINE_CHARS)
  const message = error.replace(/^(?:Uncaught )?[A-Z]\w{0,30}Error: /, '')
  const own = ownLineHint(message, line, code)
  if (own !== undefined) return own
  const promised = promisedName(message, line, code)
  if (promised !== undefined) return promised
  const specifier = /\b(?:require|import)\(\s*["'`]([^"'`]{1,80})["'`]/.exec(line)?.[1]
  const isModule = /^(?:require is not defined|import\(\) is not there)/.test(message)
  if (isModule && specifier !== undefined) return hintForModule(specifier)
  const absent = /^([\p{ID_Start}$_][\p{ID_Continue}$]*) is not defined$/u.exec(message)?.[1]
  if (absent !== undefined) return hintForAbsentName(absent, line, code)
  const asked = /^there is no tool "(?:tools\.)?([\w$]{1,60})(?:\.([\w$]{1,60}))?"/.exec(message)
  if (asked !== null && line.includes(`.${asked[2] ?? asked[1]}`)) return hintForTool(asked[1] ?? '', asked[2], line)
  const parts = asked === null ? null : OWNER_AND_NAME.exec(line)
  if (parts !== null && parts[1] === asked?.[1])
    return `an owner and a name are written tools.${parts[1]}.${parts[2]}(args); call wants the exact id of a hit`
  const asOne = AS_ONE.test(message) ? hitsTakenAsOne(code) : undefined
  if (asOne !== undefined) return asOne
  const isFunctionGiven = /^(?:arguments|search|describe|tool id): the value is a function/.test(message)
  const given = isFunctionGiven ? /\.call\(\s{0,9}(tools(?:\.[\w$]{1,80}){1,4})\s{0,9}[,)]/.exec(line)?.[1] : undefined
  if (given !== undefined) return `a tool is called itself: await ${given}(args)`
  if (isFunctionGiven && /\.(?:call|search|describe)\(/.test(line)) return CALLBACK
  if (message.startsWith('tools is not') || isFunctionGiven) return TOOLS
  if (/ is not a function or its return value is not /.test(message)) return hintForShape(message, line)
  const uncallable = /^(\S.{0,120}?) is not a function/.exec(message)?.[1]
  if (uncallable !== undefined) return hintForCall(uncallable)
  if (/ is not (?:async iterable|iterable|a constructor)/.test(message)) return hintForShape(message, line)
  const taken = /^Cannot destructure property '.{0,80}?' of .{0,120}? as it is (undefined|null)/.exec(message)?.[1]
  if (taken !== undefined)
    return `what is taken apart is ${taken}: the search or find gave nothing, or await is missing; check it first`
  const read = /Cannot (?:read|set) properties of (undefined|null)(?: \((?:reading|setting) '(.{0,80}?)'\))?/.exec(
    message,
  )
  if (read !== null) return hintForProperty({ value: read[1] ?? '', property: read[2] ?? '', line, code })
  return OTHERS.find(([pattern]) => pattern.test(message))?.[1]
}

const TOOLS =
  'tools is no list and no function: await tools.search("…") gives a list of hits, await tools.call(id, args) calls one'

const CALLBACK = 'nothing here takes a callback: const result = await tools.call(id, args), then go on with the result'

/** `tools.call('math', 'add', args)`. */
const OWNER_AND_NAME = /\.call\(\s{0,9}["'`]([\w$]{1,60})["'`]\s{0,9},\s{0,9}["'`]([\w$]{1,60})["'`]/

const AS_ONE = /^call wants a tool id as text, got (?:nothing|a list)|\.(?:call|describe) is not a function$/

/** `tools.list()`, and what stands where a tool's own name belongs: `tools.math.call('add', args)`. */
function hintForTool(owner: string, member: string | undefined, line: string): string | undefined {
  if (member === undefined) {
    const known = hintForMember(owner) ?? memberWrittenElse(owner)
    return (
      known ??
      (line.includes(`tools.${owner}(`)
        ? `if "${owner}" has several tools, name one: tools.${owner}.<name>(args)`
        : undefined)
    )
  }
  const meant = nearMiss(owner, MEMBERS)
  if (meant !== undefined) return `did you mean tools.${meant}?`
  if (!/^(?:call|callTool|call_tool|execute|run|invoke|use)$/.test(member)) return hintForMember(member)
  const name = /\(\s{0,9}["'`]([\w$]{1,60})["'`]/.exec(line)?.[1] ?? '<name>'
  return `a tool of an owner is called by its own name: await tools.${owner}.${name}(args)`
}

/** Parameters that nobody fills. */
const GIVEN = /(?<![\w$.])(input|inputs|args|params|event|payload|argv)(?:\?\.|\.|\[)/

/** What the program's own line makes plain, whatever the engine called it. */
function ownLineHint(message: string, line: string, code: string): string | undefined {
  if (message.startsWith('process is not defined')) {
    if (/\bprocess\.exit(?:Code)?\b/.test(line))
      return 'a program ends by return, and fails by throw; leave process.exit out'
    if (/\bprocess\.std(?:out|err)\b/.test(line)) return 'use console.log, and return the result'
    if (/\bprocess\.nextTick\b/.test(line)) return 'use queueMicrotask(() => …), or await'
  }
  if (/^(?:Deno|Bun) is not defined/.test(message) && OF_FILES.test(line)) return hintForName('fs')
  if (message.endsWith(' is not defined') && /\b(?:time|asyncio)\.sleep\(/.test(line)) return hintForName('sleep')
  // `tools.call(id, a=2)`, `tools.call(id, 2, 3)`, `tools.call(id, [2, 3])`.
  if (/^the arguments for .{1,300}? do not fit: the arguments: expected object/.test(message))
    return 'all arguments of a tool go into one object: await tools.call(id, { name: value })'
  const direct = message.startsWith('the arguments for ')
    ? /\btools((?:\.[\w$]{1,80}){2,4})\.(?:call|execute|run|invoke)\(/.exec(line)?.[1]
    : undefined
  if (direct !== undefined) return `a tool is called itself: await tools${direct}(args)`
  const given = message.startsWith('Cannot read') ? GIVEN.exec(line)?.[1] : undefined
  if (given !== undefined && !declaredNames(code).includes(given)) return hintForName('input')
  // Without a semicolon the line is an index or a call of what stands before it.
  const goesOn =
    (/^\s*[[(`]/.test(line) && / is not a function| before initialization/.test(message)) ||
    (/^\s*\[[^\]]{0,200}\]\./.test(line) && message.startsWith('Cannot read properties of undefined'))
  return goesOn
    ? 'a line that begins with [, ( or ` goes on with the line before it; end that one with a semicolon'
    : undefined
}

/** `tools.call_all`, `tools.Search`. */
function memberWrittenElse(name: string): string | undefined {
  const meant = MEMBERS.find((member) => member.toLowerCase() === name.replaceAll('_', '').toLowerCase())
  return meant === undefined ? undefined : `did you mean tools.${meant}?`
}

/** Of other engines. */
const OF_FILES = /\b(?:Deno\.(?:read|write|open|stat|mkdir|remove)|Bun\.(?:file|write))/

const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/\bimport\b|dynamic import|Not supported/, 'a program has no modules; everything it has is a global: tools, console, timers, URL'],
  [/^Cannot access '(?:tools|console|URL|JSON|Math|Promise)' before initialization/, 'this name is the global that it is made from; give your own variable another name'],
  [/^a timer needs a function/, 'the function comes first: setTimeout(go, 100); to wait, write await new Promise((resolve) => setTimeout(resolve, 100))'],
  [/^the program waits for something that can never settle/, 'new Promise(…) settles only by its own resolve or reject, and an error in new Promise(async …) rejects nothing (the log then says it): write const result = await tools.call(…) without new Promise'],
  [/before initialization/, 'the name is used above the line that declares it; move the declaration up'],
  [/Assignment to constant variable/, 'declare it with let'],
  [/Maximum call stack size exceeded/, 'a function calls itself without end, or a value is nested too deeply; use a loop'],
  [/is not valid JSON|in JSON at position|Unexpected end of JSON input/, 'a call gives its value, not JSON text: parse only what is text, and log it first'],
  [/Code generation from strings disallowed/, 'write the code into the program itself'],
  [/await is only valid/, 'make the function async: async (x) => …'],
  [/Cannot (?:assign to read only property|add property|delete property)|object is not extensible/, 'tools, console and what is frozen cannot be changed; make an object of your own: { ...object, name: value }'],
  [/Invalid array length|Invalid string length/, 'a length is a whole number from 0 on; if it is, build less at a time'],
  [/Array buffer allocation failed/, 'the memory of a program is bounded; hold fewer bytes at a time, and work in parts'],
] // prettier-ignore

/** `const r = tools.call(…)` without `await`: then `r` is what the error is about, wherever it is read. */
const PROMISED =
  /\b(?:const|let|var)\s{1,9}([\w$]{1,60}|[[{][^\]}=]{0,200}[\]}])\s{0,9}=\s{0,9}(?:tools\.[\w$.]{1,80}|[\w$[\]]{1,40}\.(?:call|describe))\(/g
const READ_WRONG =
  /^Cannot (?:read|destructure|set)| is not (?:a function|iterable)|is undefined|is not valid JSON| was read of a promise/

function promisedName(message: string, line: string, code: string): string | undefined {
  if (!READ_WRONG.test(message)) return undefined
  for (const [, target = ''] of code.matchAll(PROMISED)) {
    const names = target.match(/[\w$]+/g) ?? []
    const used = names.find((name) =>
      new RegExp(`(?<![\\w$.]|await )${name.replaceAll('$', String.raw`\$`)}(?![\\w$])`).test(line),
    )
    if (used !== undefined)
      return `"${used}" comes from a promise that was not awaited: write ${/^[[{]/.test(target) ? target : used} = await tools…`
  }
  return undefined
}

function hintForCall(expression: string): string {
  if (expression.startsWith('tools.')) {
    const [, owner = '', ...rest] = expression.split('.')
    const meant = rest.length === 0 ? nearMiss(owner, MEMBERS) : undefined
    const instead = rest.length === 0 ? hintForMember(owner) : undefined
    if (rest.length === 1 && MEMBERS.some((member) => member === owner))
      return `tools.${owner} is called itself: await tools.${owner}(…)`
    if (rest.length > 1 && !expression.includes('(')) return directCall([owner, ...rest])
    if (meant !== undefined)
      return `did you mean tools.${meant}? tools has ${MEMBERS.join(', ')}, and tools.<owner>.<name>(args)`
    return (
      instead ?? `no tool has this name here; find its id: await tools.search("…"), then await tools.call(id, args)`
    )
  }
  if (expression.startsWith('Promise.'))
    return 'Promise has all, allSettled, any, race and withResolvers: await Promise.all(list.map((x) => …))'
  if (/\.(?:json|text|ok|status)$/.test(expression))
    return "a call gives the tool's value itself, no response object; use it as it is"
  if (/\.(?:execute|run|invoke|callTool)$/.test(expression))
    return 'a hit has call(args) and describe(); an id goes to tools.call(id, args)'
  if (/^["'`].*["'`]\.join$/.test(expression)) return 'a list is joined by list.join(", ")'
  if (/\.(?:length|size)$/.test(expression)) return 'the length of a list is no function: leave the () out'
  if (LIST_METHODS.test(expression))
    return 'this is no list: it may be a promise (await is missing), a text or an object; console.log it to see'
  const method = /\.([A-Za-z_]\w{0,30})$/.exec(expression)?.[1]
  if (method !== undefined && TEXT_METHODS.has(method))
    return `this is no text: a call gives the tool's value itself, often an object; console.log it to see its fields`
  const foreign = method === undefined ? undefined : hintForMethod(method)
  if (foreign !== undefined) return foreign
  if (expression.startsWith('console.'))
    return 'console has log, info, debug, warn, error, table, dir, count, group and assert'
  const name = expression.replace(/^globalThis\./, '')
  const known = isBridgeName(name) ? undefined : hintForName(name)
  if (known !== undefined) return known
  // A name that is there was declared by the program: most often a hit.
  const asHit = /^[\w$]+$/.test(name) ? 'a hit is called by hit.call(args), an id by tools.call(id, args); ' : ''
  return `${asHit}console.log the value to see what it is; a promise needs await first`
}

function directCall(names: readonly string[]): string {
  const isMethod = /^(?:execute|run|invoke|exec|apply)$/.test(names.at(-1) ?? '')
  const path = isMethod ? names.slice(0, -1) : names.slice(-2)
  return `a tool is called as tools.<owner>.<name>(args): tools.${path.join('.')}(args)`
}

function hintForShape(message: string, line: string): string {
  const name = /^([\w$]+) is not a constructor/.exec(message)?.[1]
  if (name !== undefined)
    return hintForName(name) ?? 'only a class, or a function that is no arrow, is made by new; call it without new'
  const all = /\bPromise\.(?:all|allSettled|any|race)(?=\()/.exec(line)?.[0]
  if (all !== undefined) return `${all} takes a list: await ${all}([…])`
  if (/\bof tools\./.test(line)) return 'await is missing: for (const hit of await tools.search("…"))'
  return 'only a list can be taken apart so: of an object take Object.entries(object); the value may also be a promise (await is missing) or a text; console.log it to see'
}
