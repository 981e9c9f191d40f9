import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { withoutNulls } from '../../../../catalog/without-nulls.ts'

/**
 * A request with what can be meant in one way only put right: `null` for a field that is not set, at every place that
 * client libraries write it; a user's id as a number; a call's arguments in a history as an object.
 */
export function mendChatRequest(request: JsonObject): JsonObject {
  const { user, tools, messages, stream_options: streamOptions, ...rest } = withoutNulls(request)
  return {
    ...rest,
    ...(user !== undefined && { user: typeof user === 'number' ? String(user) : user }),
    ...(streamOptions !== undefined && { stream_options: clean(streamOptions) }),
    ...(tools !== undefined && { tools: Array.isArray(tools) ? tools.map(mendTool) : tools }),
    ...(messages !== undefined && { messages: Array.isArray(messages) ? messages.map(mendMessage) : messages }),
  }
}

function mendTool(tool: JsonValue): JsonValue {
  if (!isJsonObject(tool)) return tool
  const { function: body, ...rest } = withoutNulls(tool)
  return { ...rest, ...(body !== undefined && { function: clean(body) }) }
}

/** `content` keeps its null: a user who says nothing is refused, an assistant that called a tool said nothing. */
function mendMessage(message: JsonValue): JsonValue {
  if (!isJsonObject(message)) return message
  const { tool_calls: calls, ...rest } = withoutNulls(message)
  const content = message['content'] === null ? { content: null } : {}
  if (!Array.isArray(calls)) return { ...rest, ...content, ...(calls !== undefined && { tool_calls: calls }) }
  return { ...rest, ...content, tool_calls: calls.map(mendCall) }
}

function mendCall(call: JsonValue): JsonValue {
  if (!isJsonObject(call)) return call
  const { function: body, ...rest } = withoutNulls(call)
  if (!isJsonObject(body)) return { ...rest, ...(body !== undefined && { function: body }) }
  const { arguments: args = {} } = withoutNulls(body)
  return { ...rest, function: { ...body, arguments: isJsonObject(args) ? JSON.stringify(args) : args } }
}

function clean(value: JsonValue): JsonValue {
  return isJsonObject(value) ? withoutNulls(value) : value
}
