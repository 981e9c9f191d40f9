import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import type { ContentBlock, ToolResult } from '../../catalog/tool.ts'

/**
 * What a program or model gets of a result: its structured value where it has one, else its text. Images, sound and
 * binary resources never enter the text; each is described, with its place in the raw result.
 */
export function valueOf(result: ToolResult): JsonValue {
  if (result.structured !== undefined) return result.structured
  const texts: string[] = []
  const blocks: JsonObject[] = []
  for (const [index, block] of result.content.entries()) {
    const text = textOf(block)
    if (text === undefined) blocks.push({ artifact: `content[${index}]`, ...describe(block) })
    else texts.push(text)
  }
  const text = texts.join('\n')
  if (blocks.length === 0) return text
  return { ...(texts.length > 0 && { text }), blocks, note: RAW_NOTE }
}

const RAW_NOTE = 'blocks that are not text are left out here; call with { raw: true } to get them'

function textOf(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text
  return block.type === 'resource' ? block.resource.text : undefined
}

function describe(block: ContentBlock): JsonObject {
  if (block.type === 'text') return { type: block.type, bytes: Buffer.byteLength(block.text) }
  if (block.type === 'resource') {
    const { uri, mimeType = 'application/octet-stream', blob = '' } = block.resource
    return { type: block.type, uri, mimeType, bytes: base64Bytes(blob) }
  }
  if (block.type === 'resource_link') {
    const { type, uri, name, mimeType } = block
    return { type, uri, ...(name !== undefined && { name }), ...(mimeType !== undefined && { mimeType }) }
  }
  return { type: block.type, mimeType: block.mimeType, bytes: base64Bytes(block.data) }
}

/** The length that Base64 text decodes to, without decoding it. */
function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}
