import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { SCRIPTED_LINES_MAX } from '../limits.ts'

const WHO = '[scripted stand-in, not a model]'

/** Every answer says first who speaks. */
export function say(text: string): string {
  return `${WHO} ${text}`
}

export function sayCalled(tool: string, args: JsonValue, result: JsonValue): string {
  return say(`I called ${tool} with ${JSON.stringify(args)}. It answered:\n\n${sayValue(result)}`)
}

export function sayMissing(tool: string, missing: readonly string[], signature = ''): string {
  const example = missing.map((name) => `${name}: …`).join(', ')
  const how = signature === '' ? '' : ` It takes ${argumentsIn(signature)}.`
  return say(`${tool} fits, but I cannot read its ${missing.join(' and ')} from your message. Add "${example}".${how}`)
}

/** `(args: { … })` of a signature, on one line: what it gives back is no help here. */
function argumentsIn(signature: string): string {
  return signature.replace(/\) => [^]*$/, ')').replaceAll(/\s+/g, ' ')
}

export function sayNothingFits(message: string): string {
  return say(
    `I found no tool that fits "${message.slice(0, 200)}". I only match words and fill in what your message says; configure a model for more.`,
  )
}

export function sayNoTools(message: string): string {
  return say(`I was shown no tools and have nothing to say of my own. You wrote: "${message.slice(0, 200)}"`)
}

/** A value in words and lines. */
export function sayValue(value: JsonValue): string {
  const lines = linesOf(value, '')
  const more = lines.length - SCRIPTED_LINES_MAX
  return [...lines.slice(0, SCRIPTED_LINES_MAX), ...(more > 0 ? [`(and ${more} more lines)`] : [])].join('\n')
}

function linesOf(value: JsonValue, indent: string): readonly string[] {
  if (value === null) return [`${indent}nothing`]
  if (typeof value !== 'object')
    return String(value)
      .split('\n')
      .map((line) => indent + line)
  if (!isJsonObject(value)) {
    if (!Array.isArray(value) || value.length === 0) return [`${indent}an empty list`]
    return value.flatMap((item: JsonValue) => bulleted(linesOf(item, ''), indent))
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return [`${indent}an empty object`]
  return entries.flatMap(([key, part]) => {
    const isFlat = part === null || typeof part !== 'object'
    return isFlat ? [`${indent}${key}: ${String(part)}`] : [`${indent}${key}:`, ...linesOf(part, `${indent}  `)]
  })
}

function bulleted(lines: readonly string[], indent: string): readonly string[] {
  return lines.map((line, index) => `${indent}${index === 0 ? '- ' : '  '}${line}`)
}
