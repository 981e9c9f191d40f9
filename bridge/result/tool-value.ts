import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { ContentBlock, ToolResult } from '../../catalog/tool.ts'
import { base64Bytes, binaryOf } from './keep-blocks.ts'

/**
 * What a program or model gets of a result: its structured value where it has one, else its text. Images, sound and
 * binary resources never enter it; each is described, with the handle that it is kept under.
 */
export function toolValue(result: ToolResult): JsonValue {
  if (result.structured !== undefined) return withoutBlobs(result.structured, result.content)
  const texts: string[] = []
  const blocks: JsonObject[] = []
  for (const [index, block] of result.content.entries()) {
    const text = textOf(block)
    if (text === undefined) blocks.push({ artifact: handleOf(block) ?? `content[${index}]`, ...describe(block) })
    else texts.push(text)
  }
  const text = texts.join('\n')
  if (blocks.length === 0) return text
  return { ...(texts.length > 0 && { text }), blocks, note: ARTIFACT_NOTE }
}

const ARTIFACT_NOTE = 'blocks that are not text are kept aside; tools.artifact(id) in a program reads one'

/** The blocks as a program gets them in the raw envelope: the handle in the place of the bytes. */
export function lightBlocks(content: readonly ContentBlock[]): readonly JsonObject[] {
  return content.map((block) => {
    const artifact = handleOf(block)
    if (artifact !== undefined) return { ...describe(block), artifact }
    const { details: _details, ...rest } = block
    const copy: JsonObject = JSON.parse(JSON.stringify(rest))
    return copy
  })
}

function handleOf(block: ContentBlock): string | undefined {
  return 'artifact' in block ? block.artifact : undefined
}

/** Some servers put the same bytes into their structured result too. */
function withoutBlobs(value: JsonValue, content: readonly ContentBlock[]): JsonValue {
  const handles = new Map<string, string>()
  for (const block of content) {
    const [data, artifact] = [binaryOf(block)?.data, handleOf(block)]
    if (data !== undefined && data !== '' && artifact !== undefined) handles.set(data, artifact)
  }
  return handles.size === 0 ? value : replaceTexts(value, handles)
}

function replaceTexts(value: JsonValue, handles: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') {
    const artifact = handles.get(value)
    return artifact === undefined ? value : { artifact }
  }
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, handles))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceTexts(item, handles)]))
}

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
    const { type, uri, name, linked } = block
    const mimeType = block.mimeType ?? linked?.mimeType
    const bytes = linked?.blob === undefined ? Buffer.byteLength(linked?.text ?? '') : base64Bytes(linked.blob)
    return {
      type,
      uri,
      ...(name !== undefined && { name }),
      ...(mimeType !== undefined && { mimeType }),
      ...(linked !== undefined && { bytes }),
    }
  }
  return { type: block.type, mimeType: block.mimeType, bytes: base64Bytes(block.data) }
}
