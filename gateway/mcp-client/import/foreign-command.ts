import type { JsonObject, JsonValue } from '../../../catalog/json.ts'

export interface ForeignCommand {
  readonly command: string
  readonly args: readonly string[]
}

export type ReadCommand =
  | ({ readonly kind: 'words' } & ForeignCommand)
  | { readonly kind: 'wrong'; readonly reason: string }
  | { readonly kind: 'none' }

/** The program and its arguments, however they are written: apart, in one list, or as one line. */
export function readForeignCommand({ command, args }: JsonObject, warn: (message: string) => void): ReadCommand {
  if (command === undefined || command === null || command === '') return { kind: 'none' }
  const before = Array.isArray(command) ? wordsOf(command) : typeof command === 'string' ? [command] : undefined
  const [program = ''] = before ?? []
  if (before === undefined || program === '') {
    return { kind: 'wrong', reason: 'its command is neither a text nor a list of them' }
  }
  if (args === undefined || args === null) {
    const isLine = before.length === 1 && LINE.test(program)
    return isLine ? asLine(program, warn) : { kind: 'words', command: program, args: before.slice(1) }
  }
  const after = typeof args === 'string' ? args.split(/\s+/).filter((word) => word !== '') : wordsOf(args)
  if (typeof args === 'string') warn('its arguments are one text, which was parted at its spaces')
  if (after === undefined) return { kind: 'wrong', reason: 'an argument is neither a text nor a number' }
  return { kind: 'words', command: program, args: [...before.slice(1), ...after] }
}

/** A program without a folder, and what a shell would read as its arguments; a folder's name may have spaces in it. */
const LINE = /^[\w.@-]+(?:\s+[^\s'"\\$`|&;<>]+)+$/

function asLine(line: string, warn: (message: string) => void): ReadCommand {
  const [command = '', ...args] = line.split(/\s+/)
  warn('its command is a whole line, which was parted at its spaces')
  return { kind: 'words', command, args }
}

function wordsOf(list: JsonValue): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined
  const words = list.filter((word) => ['string', 'number', 'boolean'].includes(typeof word)).map(String)
  return words.length === list.length ? words : undefined
}
