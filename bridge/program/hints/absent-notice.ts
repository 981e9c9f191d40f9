import type { AbsentMembers } from '../../isolate/program-host.ts'
import type { Notice } from '../../outcome.ts'
import type { LogEntry } from '../../run.ts'
import { hitsTakenAsOne } from './hits-as-one.ts'

export interface EndedProgram {
  readonly code: string
  /** What was said of it before it ran. */
  readonly notices: readonly Notice[]
  readonly logs: readonly LogEntry[]
  /** Calls that were still under way when it returned. */
  readonly awaitedAfterReturn: number
}

/**
 * JSON shows what is undefined as null, which a model takes for the tool's answer: most often a field was looked for
 * that is not there. The program's text only chooses what is said of it.
 */
export function absentNotice({ count, places }: AbsentMembers, program: EndedProgram): Notice | undefined {
  const early = program.awaitedAfterReturn > 0 ? EARLY : undefined
  if (places !== '$') {
    const more = count > places.split(', ').length ? ` and more (${count} in all)` : ''
    return {
      code: 'undefined-in-value',
      message: `undefined, shown as null: ${places}${more}${early ?? reasonOf(program.code)}`,
    }
  }
  // It gave something else, or has been told that it gives nothing.
  const isTold = program.notices.some(({ code }) => TOLD.has(code))
  if (isTold || program.logs.length > 0) return undefined
  const reason = early ?? (RETURNS_FIELD.test(program.code) ? reasonOf(program.code) : reasonOf(program.code, SPECIFIC))
  return { code: 'undefined-returned', message: `the program returned undefined, shown as null${reason}` }
}

const EARLY = '; it was read before a call had ended that may set it: await that call first'

const TOLD: ReadonlySet<string> = new Set(['nothing-returned', 'nothing-called', 'timer-left'])

/** `return result.total`: else what is missing is the return itself. */
const RETURNS_FIELD = /\breturn\s[^\n;]{0,200}\??\.[\w$]{1,80}\s{0,9}(?:;|\n|$)/

function reasonOf(code: string, reasons = REASONS): string {
  const one = hitsTakenAsOne(code)
  const reason = one ?? reasons.find(([, ...signs]) => signs.every((sign) => sign.test(code)))?.[0]
  return reason === undefined ? '' : `; ${reason}`
}

const SEARCH = /\bsearch\(/
const SCHEMA = /\b(?:inputSchema|input_schema|outputSchema|output_schema|parameters|schema)\b/

/** What is said where all of these stand somewhere in the program; the first that fits. */
const REASONS: readonly (readonly [string, ...RegExp[]])[] = [
  ['forEach gives nothing: use map, or return what it filled', /\breturn\s[^\n;]{0,200}\.forEach\(/],
  ['a part of an artifact has text (or base64), offset, bytes and nextOffset', /\bartifact\(/],
  ['an outcome of callAll is { id, status, value or reason }', /\bcallAll\(/],
  [
    'a description has signature, inputSchema and outputSchema',
    /\bdescribe\(/,
    /\b(?:input_schema|output_schema|parameters|schema|params|args|inputs|function|arguments)\b/,
  ],
  ['a hit has id, name, description and signature; its schema is (await hit.describe()).inputSchema', SEARCH, SCHEMA],
  ['a hit has hit.id and hit.name', SEARCH, /\btool_?(?:id|name)\b/i],
  ['a search gives the list of hits itself: hits.length', SEARCH, /\b(?:total|count|totalCount|total_count)\b/],
  [
    'a function in braces gives only what it returns: (x) => value, or return value',
    /=>\s?\{(?:(?!return\b)[^{}]){0,300}\}\s?\)/,
  ],
  [
    "a call gives the tool's value itself, with nothing around it; console.log it to see its fields",
    /\bcall\(|\btools(?:\.[\w$]{1,80}){2,4}\(/,
  ],
]

const SPECIFIC: typeof REASONS = [...REASONS.slice(0, -1), ['give it by `return …`', /^/]]
