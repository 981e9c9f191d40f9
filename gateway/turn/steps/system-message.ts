import type { Mode } from '../../../bridge/presentation/presentation.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import type { ChatMessage } from '../../providers/provider.ts'

export interface SystemParts {
  /** Of the agent; may be empty. */
  readonly instructions: string
  readonly mode: Mode
  /** Whether the model is shown any tool. */
  readonly hasTools: boolean
  /** System and developer messages at the head of the request. */
  readonly head: readonly ChatMessage[]
  /** What a forced tool choice needs said, where it cannot be said by the choice itself. */
  readonly note: string | undefined
}

/**
 * One system message, because some chat templates refuse a second. What changes least stands first, so that prompt
 * caches hold: the agent's instructions, the hint on tools, then what this client says.
 */
export function systemMessages(parts: SystemParts): readonly ChatMessage[] {
  const ours = [parts.instructions, parts.hasTools ? hints[parts.mode] : undefined].filter(isText)
  const theirs = parts.head.map((message) => message.content).filter((content) => content !== null)
  const blocks = [...ours, ...theirs, ...[parts.note].filter(isText)]
  if (blocks.length === 0) return []
  if (blocks.every((block) => typeof block === 'string')) return [{ role: 'system', content: blocks.join('\n\n') }]
  // Parts may carry fields of a provider, such as a cache mark: they stay as they are.
  return [
    { role: 'system', content: blocks.flatMap((block) => (typeof block === 'string' ? [textPart(block)] : block)) },
  ]
}

const hints: Readonly<Record<Mode, string | undefined>> = {
  code:
    'Many more tools than you are shown are reached through tool_search_code: search for what you need, describe the ' +
    'best hit, call it, return what you need. Ids come from search, never from memory.',
  tools:
    'Many more tools than you are shown are reached by tool_search, then tool_describe, then tool_call. Ids come from ' +
    'search, never from memory.',
  direct: undefined,
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== ''
}

function textPart(text: string): JsonObject {
  return { type: 'text', text }
}
