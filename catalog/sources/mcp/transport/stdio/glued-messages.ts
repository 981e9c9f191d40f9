import { isJsonObject } from '../../../../json.ts'
import { GLUED_MESSAGES_MAX } from '../../limits.ts'

/**
 * The messages in a line that is no JSON: `Loading...{"jsonrpc":...}` of a program that prints without a line feed, or two
 * messages that two threads wrote at once. Behind other text only answers are taken: it may be a log, which quotes what the
 * server was sent, and a request in it is none to us.
 */
export function gluedMessages(line: string): readonly unknown[] {
  const found: unknown[] = []
  let from = 0
  let isStream = true
  for (let looked = 0; looked < GLUED_MESSAGES_MAX; looked += 1) {
    const start = line.slice(from).search(MESSAGE_START)
    if (start === -1) break
    isStream &&= line.slice(from, from + start).trim() === ''
    const end = objectEnd(line, from + start)
    if (end === undefined) break
    const value = parsed(line.slice(from + start, end))
    if (value === undefined) isStream = false
    else if (isStream || (isJsonObject(value) && !('method' in value))) found.push(value)
    from = end
  }
  return found
}

const MESSAGE_START = /\{\s*"(?:jsonrpc|id|result|error|method|params)"\s*:/

/** Behind the brace that closes the one at `start`; undefined where none does. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0
  for (let index = start; index < text.length; index += 1) {
    const char = text[index]
    if (char === '"') index = stringEnd(text, index)
    else if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    if (depth === 0) return index + 1
  }
  return undefined
}

function stringEnd(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Braces, and no JSON between them.
    return undefined
  }
}
