import { createTwoFilesPatch } from 'diff'
import type { JsonObject } from '../../catalog/json.ts'
import { canonicalJson } from '../../catalog/json.ts'
import type { PinnedContent } from '../../catalog/sources/mcp/trust/pins/pinned-content.ts'
import { DIFF_LINE_LENGTH, DIFF_MAX_EDITS, DIFF_MAX_LENGTH } from './limits.ts'

/**
 * What changed in a tool, as a unified diff of all that is pinned of it, in lines that can be read and in canonical order. Characters that do not show are written as `\u{200b}`: they may be all that changed. Work is bounded.
 */
export function changeDiff(before: PinnedContent | undefined, after: PinnedContent): string {
  const [old, now] = [before === undefined ? '' : readableText(before), readableText(after)]
  const patch = createTwoFilesPatch('pinned', 'now', old, now, undefined, undefined, { maxEditLength: DIFF_MAX_EDITS })
  if (patch !== undefined) return patch.slice(patch.indexOf('---'))
  return [`--- pinned`, ...prefixed('-', old), `+++ now`, ...prefixed('+', now)].join('\n')
}

function prefixed(sign: string, text: string): readonly string[] {
  return text.split('\n').map((line) => `${sign}${line}`)
}

function readableText(content: PinnedContent): string {
  const { description, title, annotations, inputSchema, outputSchema, listing } = content
  const parts = [
    ...(title === undefined ? [] : [`title: ${visible(title)}`]),
    'description:',
    ...wrapped(visible(description)),
    ...(annotations === undefined ? [] : ['annotations:', ...schemaLines(annotations)]),
    ...(inputSchema === undefined ? [] : ['input schema:', ...schemaLines(inputSchema)]),
    ...(outputSchema === undefined ? [] : ['output schema:', ...schemaLines(outputSchema)]),
    ...(listing === undefined ? [] : ['shown or read by clients beside:', ...schemaLines(listing)]),
  ]
  const text = parts.join('\n')
  return text.length <= DIFF_MAX_LENGTH ? `${text}\n` : `${text.slice(0, DIFF_MAX_LENGTH).toWellFormed()}\n(cut here)\n`
}

/** In the canonical order of keys, so that another order is no change. */
function schemaLines(schema: JsonObject): readonly string[] {
  const ordered: unknown = JSON.parse(canonicalJson(schema))
  return visible(JSON.stringify(ordered, null, 2))
    .split('\n')
    .flatMap((line) => cutLine(line, DIFF_LINE_LENGTH * 2))
}

/** Words in lines, so that one changed word is one changed line. */
function wrapped(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = []
    let current = ''
    for (const word of line.split(' ')) {
      if (current !== '' && current.length + word.length >= DIFF_LINE_LENGTH) {
        lines.push(current)
        current = ''
      }
      current = current === '' ? word : `${current} ${word}`
    }
    return [...lines, current].flatMap((each) => cutLine(`  ${each}`, DIFF_LINE_LENGTH * 2))
  })
}

function cutLine(line: string, length: number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < line.length; at += length) pieces.push(line.slice(at, at + length))
  return pieces.length === 0 ? [''] : pieces
}

function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, (character) =>
      character === '\n' ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    )
}
