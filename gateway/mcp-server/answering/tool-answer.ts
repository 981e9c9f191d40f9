import type { CallToolResult, ContentBlock as McpBlock } from '@modelcontextprotocol/server'
import type { Notice, Outcome, SettledCall } from '../../../bridge/outcome.ts'
import type { Mode, ModelResult } from '../../../bridge/presentation/presentation.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import type { ContentBlock } from '../../../catalog/tool.ts'

/** A presentation's result as a client of the protocol gets it. */
export function toolAnswer(result: ModelResult, mode: Mode): CallToolResult {
  // No client tools are ever brought here, so that this is a call of a tool that only another client can run.
  if (result.kind === 'client-call')
    return { content: [text(`"${result.name}" can only be run by its client`)], isError: true }
  const { settled } = result
  if (settled !== undefined && mode === 'direct') return directAnswer(settled, result)
  const blocks = settled === undefined ? [] : blocksBesideText(settled.outcome)
  const answer = { content: [text(result.text), ...blocks], isError: result.isError }
  // Some clients show their model the structured result alone, where there is one. That of a tool shown itself is its own.
  const structured = mode === 'direct' || blocks.length > 0 ? undefined : readJson(result.text)
  return isJsonObject(structured) ? { ...answer, structuredContent: structured } : answer
}

/** As the tool gave it: its blocks, its structured result. What went wrong is said in words made for a model. */
function directAnswer({ outcome, notices }: SettledCall, forModel: Pick<EndedResult, 'text'>): CallToolResult {
  if (outcome.kind === 'ok') {
    const { content, structured } = outcome.result
    return {
      content: [...content.map(mcpBlock), ...notices.map(noticeBlock)],
      ...(structured !== undefined && { structuredContent: structured }),
      isError: false,
    }
  }
  // The tool's own words stand as they are; they are redacted and bounded already.
  if (outcome.kind === 'failed' && outcome.result !== undefined) {
    return {
      content: [text(outcome.message), ...blocksBesideText(outcome), ...notices.map(noticeBlock)],
      isError: true,
    }
  }
  return { content: [text(forModel.text)], isError: true }
}

type EndedResult = Extract<ModelResult, { kind: 'result' }>

/** Pictures and sound that the model's text only names. */
function blocksBesideText(outcome: Outcome): readonly McpBlock[] {
  const result = outcome.kind === 'ok' || outcome.kind === 'failed' ? outcome.result : undefined
  return (result?.content ?? []).filter((block) => block.type !== 'text').map(mcpBlock)
}

function mcpBlock(block: ContentBlock): McpBlock {
  return block.details === undefined ? bareBlock(block) : { ...block.details, ...bareBlock(block) }
}

function bareBlock(block: ContentBlock): McpBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
    case 'audio':
      return { type: block.type, data: block.data, mimeType: block.mimeType }
    case 'resource_link':
      // The protocol wants a name; a server that gave none is known by the address alone.
      return { type: 'resource_link', uri: block.uri, name: block.name ?? block.uri, ...mimeType(block) }
    case 'resource':
      return resourceBlock(block.resource)
  }
}

function resourceBlock(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): McpBlock {
  const { uri, blob, text: words = '' } = resource
  const common = { uri, ...mimeType(resource) }
  return { type: 'resource', resource: blob === undefined ? { ...common, text: words } : { ...common, blob } }
}

function mimeType({ mimeType: type }: { readonly mimeType?: string }): { readonly mimeType?: string } {
  return type === undefined ? {} : { mimeType: type }
}

function noticeBlock({ message }: Notice): McpBlock {
  return text(`note: ${message}`)
}

function text(words: string): McpBlock {
  return { type: 'text', text: words }
}
