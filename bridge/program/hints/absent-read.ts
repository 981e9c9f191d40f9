import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import type { Notice } from '../../outcome.ts'
import { FIELDS_NAMED, READS_CODE_CHARS, READS_LOOKED_AT, RESULTS_LOOKED_AT } from '../limits.ts'

/** What a program was given: JSON of the values that its calls and searches answered. */
export interface GivenAnswers {
  readonly calls: readonly string[]
  readonly searches: readonly string[]
}

/**
 * `if (!result.success)`, `result.status !== 200`, `result.content?.[0]?.text ?? 'none'`: of a field that is not there
 * nothing fails, and the program goes the wrong way. Only the program's text is looked at, and only where no answer has
 * the field anywhere; a read that is right without it (`if (result.error)`, `page.next ?? null`) is left alone.
 */
export function absentReadNotice(code: string, { calls, searches }: GivenAnswers): Notice | undefined {
  if (code.length > READS_CODE_CHARS) return undefined
  const ofCalls =
    calls.length === 0 ? [] : [...calledNames(code).flatMap((name) => wrongReads(code, name)), ...wrongParts(code)]
  const [read] = absentOf(ofCalls, code, calls)
  if (read !== undefined) {
    const has = calls.map(fieldsOf).find((fields) => fields !== undefined) ?? 'no fields'
    const message = `"${read}" was read of a result that has no such field, so it was undefined; a call gives the tool's value itself, which has ${has}`
    return { code: 'undefined-read', message }
  }
  const noList = listTaken(code, calls)
  if (noList !== undefined) return noList
  const ofHits = searches.length === 0 ? [] : foundNames(code).flatMap((name) => wrongReads(code, name))
  const ofHit = absentOf(ofHits, code, searches).find((path) => !path.endsWith('.length'))
  if (ofHit === undefined) return undefined
  const message = `"${ofHit}" was read of what a search gave, which has no such field, so it was undefined; a search gives the list of hits itself, and a hit has id, name, description and signature`
  return { code: 'undefined-read', message }
}

/** `Array.isArray(result) ? result : []` of a result that is an object gives an empty list. */
function listTaken(code: string, calls: readonly string[]): Notice | undefined {
  if (calls.length === 0 || !calls.every((json) => json.startsWith('{'))) return undefined
  const name = calledNames(code).find((one) => {
    const instead = new RegExp(emptyUnlessList(escaped(one))).exec(code)?.[1]
    return instead !== undefined && !isNamed(instead, escaped(one))
  })
  if (name === undefined) return undefined
  const message = `"${name}" was taken for a list and is none: a call gives the tool's value itself, here an object which has ${calls.map(fieldsOf).find((fields) => fields !== undefined) ?? 'no fields'}`
  return { code: 'undefined-read', message }
}

/** `const result = await tools.call(…)`, `await tools.owner.name(…)`, `await hit.call(…)`; and each of several. */
const CALLED =
  /\b(?:const|let|var)\s{1,9}([\w$]{1,60})\s{0,9}=\s{0,9}\(?\s{0,9}await\s{1,9}(?:tools\.(?!(?:search|describe|callAll|artifact|store)\b)[\w$.]{1,160}|[\w$]{1,60}(?:\[\d{1,3}\])?\.call)\(/g
const TOGETHER = /\b(?:const|let|var)\s{1,9}([\w$]{1,60})\s{0,9}=\s{0,9}await\s{1,9}Promise\.all\(/g
const SEARCHED =
  /\b(?:const|let|var)\s{1,9}(\[?)\s{0,9}([\w$]{1,60})\s{0,9}\]?\s{0,9}=\s{0,9}await\s{1,9}tools\.search\(/g

const TAKEN_APART =
  /\b(?:const|let|var)\s{1,9}\{([^{}]{1,200})\}\s{0,9}=\s{0,9}await\s{1,9}(?:tools\.(?!(?:search|describe|callAll|artifact|store)\b)[\w$.]{1,160}|[\w$]{1,60}(?:\[\d{1,3}\])?\.call)\(/g
const PART = /^\s{0,40}([\w$]{1,60})\s{0,9}(?::\s{0,9}([\w$]{1,60}))?\s{0,9}(=(?!\s{0,9}(?:null|undefined)\b).*)?/

function calledNames(code: string): readonly string[] {
  const each = [...code.matchAll(TOGETHER)].slice(0, RESULTS_LOOKED_AT).flatMap(([, list = '']) => itemsOf(code, list))
  const single = [...code.matchAll(CALLED)].slice(0, RESULTS_LOOKED_AT).map(([, name = '']) => name)
  return [...single, ...each].slice(0, RESULTS_LOOKED_AT)
}

function foundNames(code: string): readonly string[] {
  return [...code.matchAll(SEARCHED)]
    .slice(0, RESULTS_LOOKED_AT)
    .flatMap(([, bracket, name = '']) => (bracket === '[' ? [name] : [name, ...itemsOf(code, name)]))
    .slice(0, RESULTS_LOOKED_AT)
}

/** `list.filter((item) => …)`, `for (const item of list)`. */
function itemsOf(code: string, list: string): readonly string[] {
  const name = escaped(list)
  const called = new RegExp(String.raw`(?<![\w$.])${name}\.(?:map|filter|find|some|every|flatMap|forEach)\(\s{0,9}(?:async\s{1,9})?\(?\s{0,9}([\w$]{1,60})`, 'g') // prettier-ignore
  const looped = new RegExp(String.raw`\b(?:const|let|var)\s{1,9}([\w$]{1,60})\s{1,9}of\s{1,9}${name}(?![\w$.])`, 'g')
  return [...code.matchAll(called), ...code.matchAll(looped)].slice(0, RESULTS_LOOKED_AT).map(([, item = '']) => item)
}

/** Around the value of a tool in other systems. */
const AROUND =
  /^(?:success|ok|status|statusCode|status_code|content|structuredContent|data|results?|outputs?|body|response|payload|items|records|rows|matches|hits|tools|text|values?)$/
/** Without these, all is well, or there is no more. */
const FINE_WITHOUT = /err|fail|warn|next|more|cursor|token|page|trunc/i

/** What was read, and the field that it needs. */
type FieldPath = readonly [path: string, field: string]

/** The reads whose field is absent from all answers. */
function absentOf(reads: readonly FieldPath[], code: string, answers: readonly string[]): readonly string[] {
  const own = code.replace(TAKEN_APART, '')
  return [...new Map(reads)]
    .slice(0, READS_LOOKED_AT)
    .filter(([, field]) => isAbsent(field, answers) && !isSet(own, field))
    .map(([path]) => path)
}

/** `const { data } = await tools.call(…)` and then `if (!data)` or `data ?? []`, and `const { items = [] } = …`. */
function wrongParts(code: string): readonly FieldPath[] {
  return [...code.matchAll(TAKEN_APART)].slice(0, RESULTS_LOOKED_AT).flatMap(([, pattern = '']) =>
    pattern.split(',').flatMap((part): readonly FieldPath[] => {
      const [, field = '', name = field, instead] = PART.exec(part) ?? []
      const used = new RegExp(
        String.raw`!${escaped(name)}(?![\w$.])|(?<![\w$.])${escaped(name)}\s{0,9}(?:\?\.|\?\?|\|\|)`,
      )
      return AROUND.test(field) && (instead !== undefined || used.test(code)) ? [[`{ ${field} }`, field]] : []
    }),
  )
}

function wrongReads(code: string, base: string): readonly FieldPath[] {
  const name = escaped(base)
  const reads = new RegExp(String.raw`(!?)(?<![\w$.])${name}\??\.([\w$]{1,60})(?![\w$(])([^\n;]{0,120})`, 'g')
  const listed = [...code.matchAll(new RegExp(asList(name), 'g'))].flatMap(([, field = '', instead = '']) =>
    AROUND.test(field) && !isNamed(instead, name) ? [[`${base}.${field}`, field] as const] : [],
  )
  const read = [...code.matchAll(reads)].flatMap(([, not = '', field = '', rest = '']) =>
    goesWrong({ not, field, rest, name }) ? [[`${base}.${field}`, field] as const] : [],
  )
  return [...read, ...listed]
}

/** With what stands in its place where it is no list: nothing at all. */
function emptyUnlessList(name: string): string {
  return String.raw`\bArray\.isArray\(\s{0,9}${name}\s{0,9}\)\s{0,9}\?[^:\n]{1,120}:(\s{0,9}(?:\[\]|\{\}|''|""|0\b|null\b)[^\n;]{0,60})`
}

/** `Array.isArray(result.items) ? result.items : []` */
function asList(name: string): string {
  return String.raw`\bArray\.isArray\(\s{0,9}${name}\??\.([\w$]{1,60})\s{0,9}\)\s{0,9}\?[^:\n]{1,120}:([^\n;]{1,60})`
}

interface FieldRead {
  readonly not: string
  readonly field: string
  /** The rest of its line. */
  readonly rest: string
  readonly name: string
}

function goesWrong({ not, field, rest, name }: FieldRead): boolean {
  if (FINE_WITHOUT.test(field)) return false
  const after = rest.replace(CHAIN, '')
  if (not === '!' && AROUND.test(field)) return /^\s{0,9}(?:\)|&&|\|\||\?)/.test(after)
  const compared = /^\s{0,9}(?:[=!]={1,2}|[<>]=?)(?![=\s]{0,9}(?:undefined|null)\b)\s{0,9}(.{1,40})/.exec(after)?.[1]
  if (compared !== undefined)
    return (
      !/^["'`][^"'`]{0,20}(?:err|fail)|^false\b/i.test(compared) && (AROUND.test(field) || !/^true\b/.test(compared))
    )
  const instead = AROUND.test(field) ? DEFAULT.exec(after)?.[1] : undefined
  // Another of its fields, or itself: the program tries what form it has.
  return instead !== undefined && !isNamed(instead, name)
}

function isNamed(text: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\w$.])${name}(?![\w$])`).test(text.replace(/"[^"]*"|'[^']*'/g, ''))
}

const CHAIN = /^(?:\?\.(?:[\w$]{1,60}|\[[^\]]{0,40}\])(?:\.[\w$]{1,60}|\[[^\]]{0,40}\]){0,4}){1,4}/
const DEFAULT =
  /^(?:\([^\n;]{0,100}\))?\s{0,9}(?:\?\?|\|\|)(?!\s{0,9}(?:(?:undefined|null|false)\b|""|''))\s{0,9}(.{1,60})/

function isAbsent(field: string, answers: readonly string[]): boolean {
  if (field === 'length') return answers.every((json) => json.startsWith('{'))
  // Also in JSON inside of a text.
  return answers.every((json) => !json.includes(`"${field}"`) && !json.includes(`"${field}\\"`))
}

/** By the program itself, on this object or any other: the object may be one of its own. */
function isSet(code: string, field: string): boolean {
  const name = escaped(field)
  return new RegExp(String.raw`(?<![\w$])${name}(?:\s{0,9}=(?![=>])|\s{0,9}:)|[{,]\s{0,9}${name}\s{0,9}[,}]`).test(code)
}

function fieldsOf(json: string): string | undefined {
  const value = json.startsWith('{') ? readJson(json) : undefined
  if (!isJsonObject(value)) return undefined
  const names = Object.keys(value)
  const more = names.length > FIELDS_NAMED ? ', …' : ''
  return names.length === 0 ? undefined : `${names.slice(0, FIELDS_NAMED).join(', ')}${more}`
}

function escaped(name: string): string {
  return name.replaceAll('$', String.raw`\$`)
}
