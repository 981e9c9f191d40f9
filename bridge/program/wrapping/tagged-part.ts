import { isProse } from './prose.ts'
import type { Taken } from './tags.ts'
import { TAG_NOTICE } from './tags.ts'

const OPEN = /(?<![^\n])[ \t]{0,20}<(code|program|execute|arguments|parameters|tool_input|args)>/i

/** The program, or the JSON around it, in tags among sentences or the other parts of a call: nothing else is code. */
export function takeTaggedPart(text: string, isCode: (text: string) => boolean): Taken | undefined {
  const open = OPEN.exec(text)
  if (open === null) return undefined
  const start = open.index + open[0].length
  const mark = `</${open[1] ?? ''}>`
  const end = text.indexOf(mark, start)
  if (end < 0) return undefined
  const outside = [...text.slice(0, open.index).split('\n'), ...text.slice(end + mark.length).split('\n')]
  return outside.every(isNoCode) && isCode(text.slice(start, end))
    ? { spans: [{ start, end }], notice: TAG_NOTICE }
    : undefined
}

/** A sentence, a line of an agent (`Thought: …`, `Observation: 5`), a tag or what stands in one. */
function isNoCode(line: string): boolean {
  return (
    line.trim() === '' ||
    isProse(line) ||
    /^\s{0,20}(?:<\/?[a-z][\w:.-]{0,80}(?:\s[^<>]{0,200})?>|[A-Z][a-z]{2,20}:)/i.test(line)
  )
}
