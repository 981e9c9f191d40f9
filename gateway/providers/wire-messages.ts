import type { ModelTool } from '../../bridge/presentation/presentation.ts'
import type { JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { readJson } from '../../catalog/read-json.ts'
import type { ChatMessage, ToolCallPart } from './provider.ts'

/**
 * A conversation as every server takes it back. Few know the role `developer`. Servers that fill a chat template (vLLM,
 * llama.cpp) or translate (Ollama, Gemini, Anthropic) parse the arguments of earlier calls and refuse the whole request for
 * one that is no JSON object, although the model was told of its slip and would mend it.
 */
export function wireMessages(messages: readonly ChatMessage[], tools: readonly ModelTool[]): readonly ChatMessage[] {
  return messages.map((message) => {
    if (message.role === 'developer') return { ...message, role: 'system' }
    if (message.role !== 'assistant' || message.tool_calls === undefined) return message
    return { ...message, tool_calls: message.tool_calls.map((call) => wireCall(call, tools)) }
  })
}

function wireCall(call: ToolCallPart, tools: readonly ModelTool[]): ToolCallPart {
  const { name, arguments: text } = call.function
  const value = readJson(text)
  if (isJsonObject(value)) return call
  const inner = typeof value === 'string' ? readJson(value) : undefined
  const object = isJsonObject(inner) ? inner : text.trim() === '' ? {} : { [keyFor(name, tools)]: value ?? text }
  return { ...call, function: { name, arguments: JSON.stringify(object) } }
}

/** Where the tool wants one thing only, that is what was sent without its name, such as a bare program. */
function keyFor(name: string, tools: readonly ModelTool[]): string {
  const required: JsonValue | undefined = tools.find((tool) => tool.name === name.trim())?.parameters['required']
  const [key] = Array.isArray(required) && required.length === 1 ? required : []
  return typeof key === 'string' ? key : 'input'
}
