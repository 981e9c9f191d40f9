import { nearMiss } from '../../arguments/near-miss.ts'
import { hintForName } from './absent-bindings.ts'

const GLOBALS =
  'a program has tools, console, timers, URL, TextEncoder and structuredClone; anything else it declares itself'

/** What to do about a name that is not there, by what the program's own line does with it. */
export function hintForAbsentName(name: string, line: string, code: string): string {
  return (
    hintForName(name) ??
    assignedName(name, line) ??
    ownedTool(name, line) ??
    calledTool(name, line) ??
    nearName(name, code)
  )
}

/** `r = …` in a strict program, where nothing declares `r`. */
function assignedName(name: string, line: string): string | undefined {
  const assigned = new RegExp(`^\\s*${name.replaceAll('$', String.raw`\$`)}\\s*=(?![=>])`)
  return assigned.test(line) ? `declare it: const ${name} = …, or let where it changes` : undefined
}

/** `math.add(…)`, where `tools.math.add(…)` was meant. */
function ownedTool(name: string, line: string): string | undefined {
  if (new RegExp(`(?<![\\w$.])${name.replaceAll('$', String.raw`\$`)}\\.tools\\.`).test(line))
    return `tools is a global: write tools.… without "${name}."`
  const at = line.search(new RegExp(`(?<![\\w$.])${name.replaceAll('$', String.raw`\$`)}\\.`))
  const chain = at < 0 ? null : /^[\w$]+(?:\.[\w$]+)+(?=\()/.exec(line.slice(at))
  return chain === null ? undefined : `if this is a tool, write tools.${chain[0]}(args); else declare ${name} first`
}

/** `add({ a: 1 })`, where a tool was meant; a function of the program's own would be declared. */
function calledTool(name: string, line: string): string | undefined {
  const call = new RegExp(`(?<![\\w$.])${name.replaceAll('$', String.raw`\$`)}\\(\\{`)
  if (!call.test(line)) return undefined
  return `if this is a tool, find its id by await tools.search("…") and write await tools.call(id, args); else declare ${name} first`
}

/** Names that the program declares, most of them at least. */
const DECLARED = /\b(?:const|let|var|function|class)\s{1,9}([\w$]{1,60})/g
const DECLARED_NAMES = 200

export function declaredNames(code: string): readonly string[] {
  return Array.from(code.matchAll(DECLARED), (match) => match[1] ?? '').slice(0, DECLARED_NAMES)
}

function nearName(name: string, code: string): string {
  const own = declaredNames(code)
  const meant = nearMiss(name, [
    ...own.filter((one) => one !== name),
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
