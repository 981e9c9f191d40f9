import { isProse } from './prose.ts'
import type { Taken } from './tags.ts'
import { TAG_NOTICE } from './tags.ts'

const PART =
  /(?<![^\n])([ \t]{0,20}<(code|program|execute|arguments|parameters|tool_input|args)>)([\s\S]*?)<\/\2\s{0,9}>/i

/** The program, or the JSON around it, in tags among sentences or the other parts of a call: nothing else is code. */
export function takeTaggedPart(text: string, isCode: (text: string) => boolean): Taken | undefined {
  const found = PART.exec(text)
  if (found === null) return undefined
  const [whole, open = '', , inner = ''] = found
  const outside = `${text.slice(0, found.index)}\n${text.slice(found.index + whole.length)}`
  if (!outside.split('\n').every(isNoCode) || !isCode(inner)) return undefined
  const start = found.index + open.length
  return { spans: [{ start, end: start + inner.length }], notice: TAG_NOTICE }
}

/** A sentence, a line of an agent (`Thought: …`, `Observation: 5`), a tag or what stands in one. */
function isNoCode(line: string): boolean {
  return (
    line.trim() === '' ||
    isProse(line) ||
    /^\s{0,20}(?:<\/?[a-z][\w:.-]{0,80}(?:\s[^<>]{0,200})?>|[A-Z][a-z]{2,20}:)/i.test(line)
  )
}
