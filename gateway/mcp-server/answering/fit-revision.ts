import type { CallToolResult, ContentBlock, GetPromptResult } from '@modelcontextprotocol/server'

/** First revisions that have them. */
const AUDIO_SINCE = '2025-03-26'
const LINKS_SINCE = '2025-06-18'

/**
 * A result in the terms of the revision that its client speaks. The servers behind speak newer ones: of a block that its revision does
 * not have a client of that age refuses the whole result, so sound becomes an embedded resource for it, and a link its text.
 */
export function fitRevision<Result extends object>(result: Result, revision: string | undefined): Result {
  if (revision === undefined || revision >= LINKS_SINCE || !hasContent(result)) return result
  return { ...result, content: result.content.map((block, index) => fitBlock(block, index, revision)) }
}

/** The same for what a prompt becomes. */
export function fitPrompt(result: GetPromptResult, revision: string | undefined): GetPromptResult {
  if (revision === undefined || revision >= LINKS_SINCE) return result
  const messages = result.messages.map((message, index) => ({
    ...message,
    content: fitBlock(message.content, index, revision),
  }))
  return { ...result, messages }
}

function hasContent(result: object): result is Pick<CallToolResult, 'content'> {
  return 'content' in result && Array.isArray(result.content)
}

function fitBlock(block: ContentBlock, index: number, revision: string): ContentBlock {
  if (block.type === 'resource_link') return { type: 'text', text: linkText(block) }
  if (block.type !== 'audio' || revision >= AUDIO_SINCE) return block
  const { data, mimeType } = block
  // The address is wanted, and leads nowhere.
  return { type: 'resource', resource: { uri: `drawbridge:sound/${index + 1}`, mimeType, blob: data } }
}

function linkText({ uri, name, mimeType, description }: Extract<ContentBlock, { type: 'resource_link' }>): string {
  const named = name === uri ? uri : `${name}, ${uri}`
  return `resource link: ${named}${mimeType === undefined ? '' : ` (${mimeType})`}${description === undefined ? '' : `: ${description}`}`
}
