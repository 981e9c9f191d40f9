import { isJsonObject } from './json.ts'
import type { JsonObject } from './json.ts'
import type { ContentBlock, ToolResult } from './tool.ts'

/**
 * Whether JSON from a stranger's code is a result that the rest of a call can be made of. A block with a part missing
 * would fail only where that part is read: after the tool has done its work, and before that is written down.
 */
export function isToolResult(value: unknown): value is ToolResult {
  if (!isJsonObject(value) || !Array.isArray(value['content'])) return false
  const { isError } = value
  return (isError === undefined || typeof isError === 'boolean') && value['content'].every(isContentBlock)
}

function isContentBlock(value: unknown): value is ContentBlock {
  if (!isJsonObject(value) || !isOptionalText(value['artifact'])) return false
  if (value['details'] !== undefined && !isJsonObject(value['details'])) return false
  switch (typeof value['type'] === 'string' ? value['type'] : '') {
    case 'text':
      return typeof value['text'] === 'string'
    case 'image':
    case 'audio':
      return typeof value['data'] === 'string' && typeof value['mimeType'] === 'string'
    case 'resource_link':
      return isLink(value)
    case 'resource':
      return (
        isJsonObject(value['resource']) && typeof value['resource']['uri'] === 'string' && isBody(value['resource'])
      )
    default:
      return false
  }
}

function isLink({ uri, name, mimeType, linked }: JsonObject): boolean {
  const isRead = linked === undefined || (isJsonObject(linked) && isBody(linked))
  return typeof uri === 'string' && isOptionalText(name) && isOptionalText(mimeType) && isRead
}

function isBody({ mimeType, text, blob }: JsonObject): boolean {
  return [mimeType, text, blob].every(isOptionalText)
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}
