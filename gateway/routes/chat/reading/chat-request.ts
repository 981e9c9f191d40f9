import type { JsonObject } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { ToolDefinition } from '../../../../catalog/tool.ts'
import type { ChatMessage, ToolChoice } from '../../../providers/provider.ts'
import type { Schema, Static } from '../../../schema/type.ts'
import { Type } from '../../../schema/type.ts'
import { HttpError } from '../../../http/http-error.ts'
import { readToolsAllow } from '../../tools-allow.ts'
import { parseMessage } from './chat-message.ts'
import { checkShape } from './check-shape.ts'
import { ClientTools, clientToolsOf } from './client-tools.ts'
import { SESSION_ID_MAX_LENGTH } from '../limits.ts'
import { mendChatRequest } from './mend-request.ts'
import { readToolChoice } from './read-tool-choice.ts'

export interface ChatRequest {
  /** An agent target: `drawbridge`, `drawbridge/<agent>`. */
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly clientTools: readonly ToolDefinition[]
  readonly toolChoice?: ToolChoice
  readonly user?: string
  /** Narrows the tools of this turn; ours, not the provider's. */
  readonly toolsAllow?: readonly string[]
  /** All that is not ours to read: goes to the provider as it came. */
  readonly parameters: JsonObject
}

/** Read by its role, once that is known. */
const AnyMessage: Schema<JsonObject> = Type.Object({ role: Type.String() })
const USER = {
  pattern: `^[\\s\\S]{0,${SESSION_ID_MAX_LENGTH}}$`,
  'x-expected': `a string of at most ${SESSION_ID_MAX_LENGTH} characters`,
}

/** The fields that we read; OpenAI's other fields are accepted and passed on. */
const ChatRequestBody = Type.Object({
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(AnyMessage, { minItems: 1 }),
  stream: Type.Optional(Type.Boolean()),
  stream_options: Type.Optional(Type.Object({ include_usage: Type.Optional(Type.Boolean()) })),
  tools: Type.Optional(ClientTools),
  user: Type.Optional(Type.String(USER)),
  n: Type.Optional(Type.Integer({ minimum: 1, 'x-expected': 'an integer of at least 1' })),
})

/** @throws {HttpError} 400 that names the field */
export function parseChatRequest(value: unknown): ChatRequest {
  if (!isJsonObject(value)) throw new HttpError('invalid_request', 'the body must be a JSON object')
  const set = mendChatRequest(value)
  refuseUnsupported(set)
  const read = readBody(set)
  const {
    model,
    messages,
    stream,
    stream_options: streamOptions,
    tools,
    tool_choice: choice,
    user,
    n,
    toolsAllow: listed,
    ...rest
  } = read
  const toolsAllow = readToolsAllow(listed)
  const brought = clientToolsOf(tools ?? [])
  if (n !== undefined && n > 1) throw unsupported('n', 'n must be 1: a turn runs its tools once and has one answer')
  return {
    model,
    messages: messages.map((message, index) => parseMessage(message, `messages[${index}]`)),
    stream: stream ?? false,
    includeUsage: streamOptions?.include_usage ?? false,
    ...readToolChoice(choice, brought),
    parameters: rest,
    ...(toolsAllow !== undefined && { toolsAllow }),
    ...(user !== undefined && user !== '' && { user }),
  }
}

function readBody(set: JsonObject): Static<typeof ChatRequestBody> & JsonObject {
  checkShape(ChatRequestBody, set, '')
  return set
}

function refuseUnsupported(set: JsonObject): void {
  if (set['functions'] !== undefined) throw unsupported('functions', 'functions is not supported; send tools')
  if (set['function_call'] !== undefined)
    throw unsupported('function_call', 'function_call is not supported; send tool_choice')
  const tools = Array.isArray(set['tools']) ? set['tools'] : []
  const index = tools.findIndex(
    (tool: unknown) => isJsonObject(tool) && typeof tool['type'] === 'string' && tool['type'] !== 'function',
  )
  if (index !== -1) {
    throw unsupported(
      `tools[${index}].type`,
      `tools[${index}].type must be "function": only functions can be run by a client here`,
    )
  }
}

function unsupported(param: string, message: string): HttpError {
  return new HttpError('unsupported_parameter', message, { param })
}
