import type { Format } from 'ajv'
import type { AddedFormat } from 'ajv/dist/types/index.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { CHARACTERS_PER_UNIT } from '../limits.ts'
import type { Work } from '../work.ts'

/**
 * The formats of ajv-formats but `url`, whose expression takes quadratic time (50,000 characters: 650 ms). The others
 * were tried with 100,000 characters of what their expressions repeat, and took time linear in it.
 */
const FORMATS: ReadonlyMap<string, AddedFormat> = new Map<string, AddedFormat>([
  ...Object.entries(fullFormats).flatMap(([name, format]) => entryOf(name, format)),
  ['url', (text: string) => /^(?:https?|ftp):\/\//i.test(text) && URL.canParse(text)],
])

function entryOf(name: string, format: Format): readonly [string, AddedFormat][] {
  return name === 'url' || typeof format === 'string' ? [] : [[name, format]]
}

export function isKnownFormat(name: string): boolean {
  return FORMATS.has(name)
}

/** The formats as ajv takes them; each check is paid for by the length of its text. */
export function meteredFormats(names: Iterable<string>, work: Work): Record<string, AddedFormat> {
  const formats: Record<string, AddedFormat> = {}
  for (const name of names) {
    const format = FORMATS.get(name)
    if (format !== undefined) formats[name] = metered(format, work)
  }
  return formats
}

function metered(format: AddedFormat, work: Work): AddedFormat {
  // Number formats take constant time; `true` checks nothing.
  if (format === true || (typeof format === 'object' && 'type' in format && format.type === 'number')) return format
  const check = textCheck(format)
  return (text: string) => {
    work.spend(text.length / CHARACTERS_PER_UNIT)
    return check(text)
  }
}

function textCheck(format: Exclude<AddedFormat, true>): (text: string) => boolean {
  if (format instanceof RegExp) return (text) => format.test(text)
  const check = typeof format === 'function' ? format : format.validate
  if (check instanceof RegExp) return (text) => check.test(text)
  return (text) => (typeof check === 'function' ? Reflect.apply(check, undefined, [text]) === true : true)
}
