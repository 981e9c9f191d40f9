import type { ModelTool } from '../../../bridge/presentation/presentation.ts'
import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { SAFE_NAME_MAX_LENGTH } from '../../../catalog/limits.ts'
import { readJson } from '../../../catalog/read-json.ts'
import type { ChatMessage, ToolCallPart } from '../provider.ts'

/**
 * A conversation as every server takes it back. Few know the role `developer`. Servers that fill a chat template (vLLM,
 * llama.cpp) or translate (Ollama, Gemini, Anthropic) parse the arguments of earlier calls and refuse the whole request for
 * one that is no JSON object, and OpenAI does so for a function's name that could not have been declared: although the model
 * was told of its slip and would mend it.
 */
export function wireMessages(messages: readonly ChatMessage[], tools: readonly ModelTool[]): readonly ChatMessage[] {
  return messages.flatMap((message, index): readonly ChatMessage[] => {
    if (message.role === 'developer') return [{ ...message, role: 'system' }]
    if (message.role !== 'assistant') return [message]
    const { tool_calls: calls = [] } = message
    if (calls.length > 0) return [{ ...message, tool_calls: calls.map((call) => wireCall(call, tools)) }]
    if (message.content !== null && message.content.length > 0) return [message]
    // Left out it would let two users speak in a row, which chat templates refuse; at the end there is nothing to go on from.
    return index === messages.length - 1 ? [] : [{ ...message, content: NO_ANSWER }]
  })
}

/** Mistral and Anthropic refuse an assistant that says nothing, as models do now and then behind a tool's result. */
const NO_ANSWER = '(no answer)'

function wireCall(call: ToolCallPart, tools: readonly ModelTool[]): ToolCallPart {
  const { name: called, arguments: text } = call.function
  const name = wireName(called)
  const value = readJson(text)
  if (isJsonObject(value)) return name === called ? call : { ...call, function: { name, arguments: text } }
  const inner = typeof value === 'string' ? readJson(value) : undefined
  const object = isJsonObject(inner) ? inner : text.trim() === '' ? {} : { [keyFor(name, tools)]: value ?? text }
  return { ...call, function: { name, arguments: JSON.stringify(object) } }
}

/** A model may call a tool by its id, or by nothing at all. */
function wireName(name: string): string {
  const plain = name.trim().replaceAll(/[^A-Za-z0-9_-]/g, '_')
  return plain === '' ? 'unnamed' : plain.slice(0, SAFE_NAME_MAX_LENGTH)
}

/** Where the tool wants one thing only, that is what was sent without its name, such as a bare program. */
function keyFor(name: string, tools: readonly ModelTool[]): string {
  const required: JsonValue | undefined = tools.find((tool) => tool.name === name)?.parameters['required']
  const [key] = Array.isArray(required) && required.length === 1 ? required : []
  return typeof key === 'string' ? key : 'input'
}
