import { createHash } from 'node:crypto'
import { SAFE_NAME_HASH_LENGTH, SAFE_NAME_MAX_LENGTH } from './limits.ts'

/** Where a tool comes from; the first part of its id. */
export type SourceKind = 'plugin' | 'mcp' | 'client'

/** `source:owner:name`; a `:` or `%` inside owner or name is percent-encoded, so the form is injective. */
export type ToolId = string

export function toolId(source: SourceKind, owner: string, name: string): ToolId {
  return `${source}:${encodePart(owner)}:${encodePart(name)}`
}

/** Whether a text is written as an id: whoever writes one means that tool alone, not another that is merely called so. */
export function isToolId(text: string): boolean {
  return /^(?:plugin|mcp|client):[^:]*:[^:]*$/.test(text)
}

/**
 * The name for providers: `owner__name`. Whenever that form lost anything, is longer than 64 characters or could be
 * read in two ways, a hash of the id is appended, so that no other tool's coming or going changes it.
 */
export function safeName(source: SourceKind, owner: string, name: string): string {
  const plain = `${owner}__${name}`
  const cleaned = plain.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^[^A-Za-z_]/, '_$&')
  const isExact = cleaned === plain && cleaned.length <= SAFE_NAME_MAX_LENGTH && isReadInOneWay(source, owner, name)
  if (isExact) return cleaned
  const hash = createHash('sha256')
    .update(toolId(source, owner, name))
    .digest('hex')
    .slice(0, SAFE_NAME_HASH_LENGTH)
  return `${cleaned.slice(0, SAFE_NAME_MAX_LENGTH - SAFE_NAME_HASH_LENGTH - 1)}_${hash}`
}

/** Could another (source, owner, name) give the same text, or does this one look as if it carried a hash? */
function isReadInOneWay(source: SourceKind, owner: string, name: string): boolean {
  // `a_` + `b` and `a` + `_b` give the same text; so do the two sources `plugin:x:y` and `mcp:x:y`.
  const hasOneSplit = `${owner}__${name}`.split('__').length === 2 && !owner.endsWith('_') && !name.startsWith('_')
  return hasOneSplit && source === 'plugin' && !/_[0-9a-f]{8}$/.test(name)
}

function encodePart(part: string): string {
  return part.replaceAll('%', '%25').replaceAll(':', '%3A')
}
