import type { Caller } from '../../catalog/caller.ts'
import type { ContentBlock, ToolResult } from '../../catalog/tool.ts'
import type { ArtifactStore, NewArtifact } from '../artifacts.ts'
import { KEPT_BLOCKS_MAX } from '../limits.ts'
import type { Artifact } from '../run.ts'

export interface KeepBlocksDeps {
  readonly artifacts: Pick<ArtifactStore, 'put'>
  readonly warn: (message: string, error: unknown) => void
}

/** Keeps images, sound and binary resources of a result, each under a handle; whoever wants the bytes has them there. */
export type KeepBlocks = (result: ToolResult, caller: Caller) => Promise<ToolResult>

export function createKeepBlocks({ artifacts, warn }: KeepBlocksDeps): KeepBlocks {
  const keep = async (block: ContentBlock, caller: Caller): Promise<ContentBlock> => {
    const kept = block.type === 'text' ? undefined : artifactOf(block)
    if (kept === undefined || block.type === 'text') return block
    try {
      const { id } = await artifacts.put(caller, kept)
      return { ...block, artifact: id }
    } catch (error) {
      // The tool has done its work; a full disk costs the picture, not the text beside it.
      warn('a part of a result was not kept', error)
      return block
    }
  }
  return async (result, caller) => {
    if (!result.content.some(isAside)) return result
    const content: ContentBlock[] = []
    let room = KEPT_BLOCKS_MAX
    // One by one: many large ones at once would be in memory twice.
    for (const block of result.content) {
      const hasRoom = room > 0 && isAside(block)
      if (hasRoom) room -= 1
      content.push(hasRoom ? await keep(block, caller) : block)
    }
    return { ...result, content }
  }
}

/** What was kept of a result. */
export function artifactsOf(result: ToolResult): readonly Artifact[] {
  return result.content.flatMap((block) => {
    const id = 'artifact' in block ? block.artifact : undefined
    if (id === undefined) return []
    const binary = binaryOf(block)
    if (binary !== undefined) {
      return [{ id, bytes: base64Bytes(binary.data), mimeType: mimeTypeOf(binary.mimeType), preview: '' }]
    }
    const { text = '', mimeType = 'text/plain' } = block.type === 'resource_link' ? (block.linked ?? {}) : {}
    return [{ id, bytes: Buffer.byteLength(text), mimeType: mimeTypeOf(mimeType), preview: '' }]
  })
}

/** The length that Base64 text decodes to, without decoding it. */
export function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}

/** Whether a block is kept aside: bytes, and what a link leads to. Embedded text is text like any other. */
function isAside(block: ContentBlock): boolean {
  return binaryOf(block) !== undefined || (block.type === 'resource_link' && block.linked?.text !== undefined)
}

function artifactOf(block: ContentBlock): NewArtifact | undefined {
  const binary = binaryOf(block)
  if (binary !== undefined) {
    return { bytes: Buffer.from(binary.data, 'base64'), mimeType: mimeTypeOf(binary.mimeType) }
  }
  if (block.type !== 'resource_link' || block.linked?.text === undefined) return undefined
  return { text: block.linked.text, mimeType: mimeTypeOf(block.linked.mimeType ?? 'text/plain') }
}

/** What of a block is Base64 of bytes. */
export function binaryOf(
  block: ContentBlock,
): { readonly data: string; readonly mimeType: string | undefined } | undefined {
  if (block.type === 'resource_link') {
    const { blob, mimeType } = block.linked ?? {}
    return blob === undefined ? undefined : { data: blob, mimeType: mimeType ?? block.mimeType }
  }
  if (block.type === 'image' || block.type === 'audio') return { data: block.data, mimeType: block.mimeType }
  if (block.type !== 'resource' || block.resource.blob === undefined) return undefined
  return { data: block.resource.blob, mimeType: block.resource.mimeType }
}

/** A server's own word, that becomes the header of an answer. */
function mimeTypeOf(text = ''): string {
  const [type = ''] = text.toLowerCase().split(';', 1)
  return /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,60}$/.test(type.trim()) ? type.trim() : 'application/octet-stream'
}
